package io.miniinference.ops.node;

import java.util.LinkedHashMap;
import java.util.Map;

/// A row of the op table: one operator from one opset version on.
///
/// @param name the operator, with its domain in front where that is not the default one
/// @param since first opset version with these inputs, attributes and meaning
/// @param minInputs fewest inputs
/// @param maxInputs most inputs
/// @param attributes names of the attributes, with their defaults or "" where there is none
/// @param joinsCounted whether it may make, of values with a counted axis
///   ([io.miniinference.ops.draft.CountedAxis]), what has none; of any other operator such a result
///   follows from filler
public record OpRow(
    String name,
    int since,
    int minInputs,
    int maxInputs,
    Map<String, String> attributes,
    Rule rule,
    boolean joinsCounted) {

  /// Reads a row's compact notation.
  ///
  /// @param inputs `2`, `1-3` or `1-*`
  /// @param attributes `axis=-1 keepdims=1 axes`: names with defaults, parted by spaces
  static OpRow of(String name, int since, String inputs, String attributes, Rule rule) {
    int dash = inputs.indexOf('-');
    String low = dash < 0 ? inputs : inputs.substring(0, dash);
    String high = dash < 0 ? inputs : inputs.substring(dash + 1);
    var defaults = new LinkedHashMap<String, String>();
    for (String attribute : attributes.split(" ", -1)) {
      int equals = attribute.indexOf('=');
      if (!attribute.isEmpty()) {
        defaults.put(
            equals < 0 ? attribute : attribute.substring(0, equals),
            equals < 0 ? "" : attribute.substring(equals + 1));
      }
    }
    return new OpRow(
        name,
        since,
        Integer.parseInt(low),
        high.equals("*") ? Integer.MAX_VALUE : Integer.parseInt(high),
        defaults,
        rule,
        false);
  }

  /// The row of an operator that [#joinsCounted].
  OpRow joining() {
    return new OpRow(name, since, minInputs, maxInputs, attributes, rule, true);
  }

  /// `2`, `1 to 3` or `at least 1`.
  public String arity() {
    if (minInputs == maxInputs) {
      return Integer.toString(minInputs);
    }
    return maxInputs == Integer.MAX_VALUE
        ? "at least " + minInputs
        : minInputs + " to " + maxInputs;
  }
}
