package io.miniinference.pass;

import io.miniinference.ir.Graph;

/// A rewriting of graphs: a pure function whose result computes what its argument does. Inputs and
/// outputs keep names, types and order.
@FunctionalInterface
public interface Pass {
  /// The graph rewritten; bodies of its nodes stay as they are.
  Graph apply(Graph graph);

  /// The graph rewritten, then the bodies of its nodes.
  default Graph everywhere(Graph graph) {
    Graph outer = apply(graph);
    return Rewrite.bodies(outer, this::everywhere);
  }

  /// For messages.
  default String name() {
    return getClass().getSimpleName();
  }
}
