package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.strings.StringTable;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What the host computes for each request of a model: all that is kept of its nodes.
///
/// @param constants that steps may read, by name
/// @param read names of the model's inputs that steps may read
/// @param steps in an order in which they can run
/// @param further the rest's inputs besides the model's, in their order, and the values that they
///   have
record HostSteps(
    Map<String, Tensor> constants,
    Set<String> read,
    List<StringStep> steps,
    Map<String, String> further) {
  HostSteps {
    constants = Map.copyOf(constants);
    read = Set.copyOf(read);
    steps = List.copyOf(steps);
    further = Collections.unmodifiableMap(new LinkedHashMap<>(further));
  }

  /// The rest's further inputs, in their order.
  ///
  /// @param inputs of the model, those that are [#read]
  /// @param table of the request
  /// @param budget of the request
  Map<String, Tensor> computed(Map<String, Tensor> inputs, StringTable table, HostBudget budget) {
    Map<String, Tensor> values = new HashMap<>();
    constants.forEach((name, tensor) -> values.put(name, tensor.codedIn(table)));
    read.forEach(name -> values.put(name, value(name, inputs).codedIn(table)));
    for (StringStep step : steps) {
      List<Tensor> made =
          step.work()
              .of(step.operands().stream().map(it -> value(it, values)).toList(), table, budget);
      for (int i = 0; i < step.results().size(); i++) {
        values.put(step.results().get(i), made.get(i));
      }
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    further.forEach((input, value) -> given.put(input, value(value, values)));
    return given;
  }

  private static Tensor value(String name, Map<String, Tensor> values) {
    return Objects.requireNonNull(values.get(name), name);
  }

  /// A message of the rest in words of the model, whose clients know no further inputs.
  String told(String message) {
    String told = message;
    for (var entry : further.entrySet()) {
      told =
          told.replace(
              "input '" + entry.getKey() + "'",
              "value '" + entry.getValue() + "', which the host makes,");
    }
    return told;
  }
}
