package io.miniinference.ir.text;

import io.miniinference.ir.Graph;

/// Graphs as text that reads back exactly.
///
/// ```
/// graph "net" {
///   input %x: f32[N,1,28,28]
///   const %w: f32[8,1,5,5] = large 09f8a2c4d1e35b76
///   const %b: f32[1,1,1] = [0.5]
///   %relu: f32[N,8,24,24] = conv(%x, %w) {kernel=[5,5]} epilogue(%b) { max(a0 + a1, 0.0) } from "conv_1" "Conv"
///   output %relu rowwise
/// }
/// ```
///
/// A name of letters, digits and `_./#$@-` stands as it is, any other in quotes. Attributes at
/// their usual value are left out, as is the origin (`from "node" "Op"`) of a node called like its
/// result (its first one, where it has several). The bodies of a node stand behind its attributes:
///
/// ```
///   %y: f32[4], %k: i64[] = loop(%trips, %true, %x, %zero) {carried=2} graph "body" {
///     input %i: i64[]
///     …
///   } from "loop_1" "Loop"
/// ```
///
/// Expressions are those of [io.miniinference.ir.ExprText]; elements of constants are in row-major
/// order.
///
/// **Large constants** (more than 64 elements) are printed as a digest and read back as zeros: such
/// text has the same shape, not the same content.
public final class GraphText {
  private GraphText() {}

  public static String print(Graph graph) {
    return new GraphPrinter(graph).print();
  }

  /// @throws GraphTextException with line and column if the text is no graph
  public static Graph parse(String text) {
    return new GraphParser(text).parse();
  }
}
