package io.miniinference.pass;

import io.miniinference.ir.Graph;

/// Merges elementwise work: chains into one expression, an elementwise node into the epilogue of
/// the operator before it, and into the element map of the reduction after it. Constants of one
/// element become part of the expression.
///
/// What is merged computes the same operations in the same order on each element, so that results
/// of `f32`, `f64`, integers and booleans stay bit for bit. A value of a half type that is no
/// longer stored is no longer rounded to its width, except where an [io.miniinference.ir.Expr.Cast]
/// says so.
///
/// **Order and lifetimes**: a merged node stands where the later of the two stood, since all that
/// it reads is computed there. The operands of the earlier node therefore live up to that place,
/// and the value between the two is gone. A node that may fail keeps its place among those that
/// may.
public final class FuseElementwise implements Pass {
  private final FusionOptions options;

  public FuseElementwise(FusionOptions options) {
    this.options = options;
  }

  @Override
  public Graph apply(Graph graph) {
    Graph fused = new Fusion(graph, options).run();
    return new DeadCode().apply(fused);
  }
}
