package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;

/// What fused nodes are lowered for.
@FunctionalInterface
public interface FusionTarget {

  /// Whether a node may take the place of the two that it was merged from: whether the target has
  /// as good a kernel for it as for the first of them, its epilogue left out.
  ///
  /// @param merged the node, not in the graph yet
  /// @param graph of its inputs; which of them are constants decides, too
  boolean fuses(Node merged, Graph graph);

  /// Whether products read weights that are integers of 8 bits as such, so that their scale is
  /// better taken behind the product.
  default boolean multipliesBytes() {
    return false;
  }

  /// Whether the target adds up products of bytes faster than those of floats: a matrix product or
  /// convolution of a `U8` operand and a constant `I8` one, whose sums are `I32`.
  ///
  /// @param product such a node, not in a graph yet
  default boolean sumsBytes(Node product) {
    return false;
  }

  /// Whether a table of its 256 values is better than a function of a byte.
  default boolean looksUp(Expr function) {
    return false;
  }

  /// Whether one wide product, or convolution, is better than several of the same operand, though
  /// what reads them finds a part of a row where it had the whole.
  ///
  /// @param product one of the several, whose weights are constants
  default boolean joins(Node product) {
    return false;
  }

  /// Whether what is made of each element of a concatenation is better made of its parts, by what
  /// makes them.
  default boolean mapsParts(Node concatenation) {
    return true;
  }

  /// Whether an elementwise kernel that reads at computed places is better than copies of parts.
  default boolean readsAtPlaces() {
    return false;
  }

  /// Whether a plain convolution of as many products, and of some more with zeros, is faster than a
  /// transposed one.
  default boolean convolvesTransposed() {
    return false;
  }
}
