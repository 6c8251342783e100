package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of a graph by name, and of the graphs around it. A name may be defined by a faulty
/// node, then it has no value.
public final class Names {
  private static final String NOBODY = "nobody";

  private final Problems problems;
  private final @Nullable Names outer;
  private final Set<String> made = new HashSet<>();
  private final Map<String, String> definitions = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();

  public Names(Problems problems) {
    this(problems, null);
  }

  private Names(Problems problems, @Nullable Names outer) {
    this.problems = problems;
    this.outer = outer;
  }

  /// The names of a body, which sees those of this graph.
  public Names inner() {
    return new Names(problems, this);
  }

  /// Notes who defines a name; a second definition is a problem.
  ///
  /// @return whether it is the first
  public boolean define(String name, String by) {
    String earlier = definitions.putIfAbsent(name, by);
    if (earlier != null) {
      reportTwice(name, earlier, by);
    }
    return earlier == null;
  }

  /// As [#define], for what a node makes: its name must be none that the node sees around its body
  /// ([ONNX IR](https://github.com/onnx/onnx/blob/main/docs/IR.md), nested subgraphs).
  public void defineResult(String name, String by) {
    define(name, by);
    for (Names around = outer; around != null; around = around.outer) {
      if (around.isMade(name)) {
        reportTwice(name, around.definition(name), by);
      }
    }
  }

  private void reportTwice(String name, String earlier, String by) {
    problems.add(
        "value " + Quote.of(name), "is defined twice, by %s and by %s".formatted(earlier, by));
  }

  public boolean isDefined(String name) {
    return !definition(name).equals(NOBODY);
  }

  /// Who defines a name, in this graph or else around it.
  public String definition(String name) {
    String own = definitions.get(name);
    return own != null ? own : outer == null ? NOBODY : outer.definition(name);
  }

  /// Notes that the nodes from here on may read a name.
  public void make(String name) {
    made.add(name);
  }

  /// Whether the nodes from here on may read a name of this graph.
  private boolean isMade(String name) {
    return made.contains(name);
  }

  /// Whether the nodes from here on may read a name.
  public boolean isVisible(String name) {
    return definitions.containsKey(name) ? isMade(name) : outer != null && outer.isVisible(name);
  }

  public void bind(String name, Value value) {
    values.put(name, value);
  }

  /// The value, or empty if its definition is faulty or still to come.
  public Optional<Value> value(String name) {
    Value own = values.get(name);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.value(name);
  }
}
