package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Value;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Names for values that a pass makes, which no value of the graph has: a file may use any.
public final class FreshNames {
  private final Set<String> taken = new HashSet<>();

  public FreshNames(Graph graph) {
    Stream.of(graph.inputs(), graph.constants().keySet())
        .flatMap(Collection::stream)
        .forEach(value -> taken.add(value.name()));
    graph.nodes().stream()
        .map(node -> node.outputs())
        .flatMap(List::stream)
        .forEach((Value value) -> taken.add(value.name()));
  }

  /// The name that is wanted, or that with a number behind it.
  public String of(String wanted) {
    String name = wanted;
    for (int k = 2; !taken.add(name); k++) {
      name = wanted + " " + k;
    }
    return name;
  }
}
