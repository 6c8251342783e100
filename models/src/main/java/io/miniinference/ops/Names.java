package io.miniinference.ops;

import io.miniinference.ir.Value;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The values of a file by name. A name may be defined by a faulty node, then it has no value.
final class Names {
  private final Problems problems;
  private final Map<String, String> definitions = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();

  Names(Problems problems) {
    this.problems = problems;
  }

  /// Notes who defines a name; a second definition is a problem.
  void define(String name, String by) {
    String earlier = definitions.putIfAbsent(name, by);
    if (earlier != null) {
      problems.add(
          "value " + Quote.of(name), "is defined twice, by %s and by %s".formatted(earlier, by));
    }
  }

  boolean isDefined(String name) {
    return definitions.containsKey(name);
  }

  /// Who defines a name.
  String definition(String name) {
    return definitions.getOrDefault(name, "nobody");
  }

  void bind(String name, Value value) {
    values.put(name, value);
  }

  /// The value, or empty if its definition is faulty or still to come.
  Optional<Value> value(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
