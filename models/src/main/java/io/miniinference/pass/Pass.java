package io.miniinference.pass;

import io.miniinference.ir.Graph;

/// A rewriting of graphs: a pure function whose result computes what its argument does. Inputs and
/// outputs keep names, types and order.
@FunctionalInterface
public interface Pass {
  Graph apply(Graph graph);

  /// For messages.
  default String name() {
    return getClass().getSimpleName();
  }
}
