package io.miniinference.interp;

import io.miniinference.interp.fast.FastKernels;
import io.miniinference.interp.fast.VectorForms;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.interp.plain.PlainKernels;
import io.miniinference.interp.plain.ScatterKernel;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// One node, compiled once and run over any memory and layout. Safe for several threads at once,
/// over disjoint work items.
///
/// A quotient or remainder by zero is 0, and so is what a bad index would have read; both are
/// reported.
///
/// Plain and fast forms give the same bits, whatever the layout and however work items are shared
/// out. Of `F32`:
///
/// - elementwise expressions round after each operation; exponential and error functions are those
///   of [io.miniinference.interp.lanes.FloatMath];
/// - MatMul and Conv add products in order of their index (channel by channel, in each tap by tap,
///   padding being zeros), each fused with the sum so far, which is an `F32` from 0; where all
///   weights are finite, a transposed convolution may leave out the zeros between an input's
///   elements, which changes no bit but maybe the sign of a sum that rounding made zero;
/// - pooling adds in order of the taps and rounds after each;
/// - Reduce adds in eight [io.miniinference.interp.plain.PartialSums] in double precision, and
///   rounds once;
/// - Attention, Softmax, Normalize, Scan and products of Reduce are computed in double precision
///   and rounded once: Scan and products in order, sums of Softmax and Normalize as eight, of
///   exponentials that are those of elementwise expressions;
/// - a recurrent layer adds products of its state as MatMul does, and computes all else as
///   elementwise expressions do.
public final class NodeKernel {
  /* How many times faster products are with the Vector API. */
  private static final double VECTOR_SPEED = 4;

  private final Node node;
  private final OpKernel kernel;
  private final Affine items;

  private NodeKernel(Node node, OpKernel kernel) {
    this.node = node;
    this.kernel = kernel;
    this.items = items(node);
  }

  /// The kernel that takes fast forms where the data allows.
  public static NodeKernel of(Node node) {
    return new NodeKernel(node, FastKernels.of(node, PlainKernels.of(node)));
  }

  /// The kernel without fast forms: the oracle.
  public static NodeKernel plain(Node node) {
    return new NodeKernel(node, PlainKernels.of(node));
  }

  public Node node() {
    return node;
  }

  /// How many independent work items there are: lines for Softmax, Normalize and Scan, rows of the
  /// batch for recurrent layers, planes of one channel for convolutions and pooling, rows for
  /// MatMul and Attention, lines across the indexed axes for Scatter, elements for the rest.
  public Affine items() {
    return items;
  }

  /// Fewest work items worth a thread of their own (about 20 µs of work).
  public int grain() {
    boolean vectors = VectorForms.areThere() && isProduct();
    double nanos = Math.max(1, Cost.nanosPerItem(node) / (vectors ? VECTOR_SPEED : 1));
    return (int) Math.max(1, Math.ceil(20_000 / nanos));
  }

  private boolean isProduct() {
    return node.op() instanceof Op.MatMul || node.op() instanceof Op.Convolution;
  }

  /// Extents whose product is the number of work items.
  static List<Affine> itemShape(Node node) {
    List<Affine> shape = node.outputs().getFirst().type().shape();
    return switch (node.op()) {
      case Op.RowOp rows -> without(shape, rows.rowAxes());
      case Op.Elementwise _, Op.Reduce _, Op.Rearrangement _, Op.Gather _ -> shape;
      case Op.Scatter s -> without(shape, ScatterKernel.indexedAxes(node, s));
      case Op.MatMul _, Op.Attention _ -> shape.subList(0, shape.size() - 1);
      case Op.Convolution _, Op.WindowReduce _ -> shape.subList(0, 2);
      case Op.Control _ -> throw PlainKernels.bodies(node);
    };
  }

  private static Affine items(Node node) {
    return itemShape(node).stream().reduce(Affine.ONE, Affine::times);
  }

  private static List<Affine> without(List<Affine> shape, List<Integer> axes) {
    return IntStream.range(0, shape.size())
        .filter(i -> !axes.contains(i))
        .mapToObj(shape::get)
        .toList();
  }

  /// Runs all work items of a node with one result.
  public void run(List<TensorView> inputs, TensorView output, long n, FailureSink failures) {
    run(inputs, List.of(output), n, failures);
  }

  /// Runs all work items.
  public void run(List<TensorView> inputs, List<TensorView> outputs, long n, FailureSink failures) {
    run(inputs, outputs, n, 0, items.at(n), failures);
  }

  /// Runs work items `first` to `first + count − 1`.
  ///
  /// @param inputs views of the node's inputs at batch size `n`
  /// @param outputs views of the node's outputs
  public void run(
      List<TensorView> inputs,
      List<TensorView> outputs,
      long n,
      long first,
      long count,
      FailureSink failures) {
    int operands = node.operands();
    kernel.run(
        new Task(
            inputs.subList(0, operands),
            inputs.subList(operands, inputs.size()),
            outputs,
            n,
            first,
            count,
            failures));
  }
}
