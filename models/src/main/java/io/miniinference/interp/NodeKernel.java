package io.miniinference.interp;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
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
/// - elementwise expressions round after each operation;
/// - MatMul and Conv add products in order of their index (channel by channel, in each tap by tap,
///   padding being zeros), each fused with the sum so far, which is an `F32` from 0;
/// - pooling adds in order of the taps and rounds after each;
/// - Reduce adds in eight [PartialSums] in double precision, and rounds once;
/// - Softmax, Normalize, Scan and products of Reduce are computed in double precision, in order,
///   and rounded once.
public final class NodeKernel {
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
    return new NodeKernel(node, fast(node, body(node)));
  }

  /// The kernel without fast forms: the oracle.
  public static NodeKernel plain(Node node) {
    return new NodeKernel(node, body(node));
  }

  public Node node() {
    return node;
  }

  /// How many independent work items there are: lines for Softmax, Normalize and Scan, planes of
  /// one channel for convolutions and pooling, rows for MatMul, lines across the indexed axes for
  /// Scatter, elements for the rest.
  public Affine items() {
    return items;
  }

  /// Fewest work items worth a thread of their own (about 20 µs of work).
  public int grain() {
    double nanos = Math.max(1, Cost.nanosPerItem(node));
    return (int) Math.max(1, Math.ceil(20_000 / nanos));
  }

  private static Affine items(Node node) {
    List<Affine> shape = node.outputs().getFirst().type().shape();
    List<Affine> counted =
        switch (node.op()) {
          case Op.RowOp rows -> without(shape, rows.rowAxes());
          case Op.Elementwise _, Op.Reduce _, Op.Rearrangement _, Op.Gather _ -> shape;
          case Op.Scatter s -> without(shape, ScatterKernel.indexedAxes(node, s));
          case Op.MatMul m -> shape.subList(0, shape.size() - 1);
          case Op.Convolution _, Op.WindowReduce _ -> shape.subList(0, 2);
          case Op.Control _ -> throw bodies(node);
        };
    return counted.stream().reduce(Affine.ONE, Affine::times);
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

  private static OpKernel body(Node node) {
    ElementType first =
        node.inputs().isEmpty()
            ? node.outputs().getFirst().type().element()
            : node.inputs().getFirst().type().element();
    return switch (node.op()) {
      case Op.Elementwise e -> new ElementwiseKernel(node, e.expr());
      case Op.Reduce r -> reduce(node, r, first);
      case Op.View v -> each(node, first, -1, t -> PlainMoves.view(v.map(), t));
      case Op.Concat c -> each(node, first, -1, t -> PlainMoves.concat(c.axis(), t));
      case Op.Gather g -> gather(node, g, first);
      case Op.Scatter s -> ScatterKernel.of(node, s);
      case Op.MatMul m ->
          each(node, first, node.output().type().rank() - 1, t -> new PlainMatMul(m, t));
      case Op.Conv c -> each(node, first, 2, t -> PlainConv.forward(c, t));
      case Op.ConvTranspose c -> each(node, first, 2, t -> PlainConv.transposed(c, t));
      case Op.WindowReduce w -> each(node, first, 2, t -> new PlainWindow(w, t));
      case Op.Softmax s -> LineKernel.softmax(s, Epilogue.of(node, first));
      case Op.Normalize n -> LineKernel.normalize(n, Epilogue.of(node, first));
      case Op.Scan s -> LineKernel.scan(s, Epilogue.of(node, first));
      case Op.TopK t -> new TopKKernel(t);
      case Op.Control c -> throw bodies(node);
    };
  }

  private static IllegalStateException bodies(Node node) {
    return new IllegalStateException(
        "node '" + node.name() + "' has bodies; the nodes in them are what is run");
  }

  private static OpKernel fast(Node node, OpKernel plain) {
    if (node.op() instanceof Op.View v) {
      return FastMoves.view(v.map(), plain);
    }
    if (node.epilogue() == null && node.op() instanceof Op.Concat c) {
      return FastMoves.concat(c.axis(), plain);
    }
    if (node.epilogue() == null && node.op() instanceof Op.Gather g) {
      return FastMoves.gather(tuples(node, g), stretchAxes(node, g), plain);
    }
    if (node.op() instanceof Op.Elementwise e) {
      return elementwise(node, e, plain);
    }
    return floats(node.operandValues()) ? heavy(node, plain) : plain;
  }

  private static boolean floats(List<Value> values) {
    return values.stream().allMatch(v -> v.type().element() == ElementType.F32);
  }

  private static OpKernel elementwise(Node node, Op.Elementwise op, OpKernel plain) {
    return FloatProgram.of(op.expr(), node.inputs().stream().map(v -> v.type().element()).toList())
        .<OpKernel>map(program -> new FastElementwise(program, plain))
        .orElse(plain);
  }

  private static OpKernel heavy(Node node, OpKernel plain) {
    return switch (node.op()) {
      case Op.MatMul m -> new FastMatMul(m, node, plain);
      case Op.Conv c -> FastConv.forward(c, node, plain);
      case Op.ConvTranspose c -> FastConv.transposed(c, node, plain);
      case Op.WindowReduce w -> new FastWindow(w, node, plain);
      case Op.Reduce r -> FastReduce.of(r, node, plain);
      case Op.RowOp _ -> plain instanceof LineKernel lines ? lines.fast(node) : plain;
      case Op.Elementwise _, Op.Rearrangement _, Op.Indexed _, Op.Control _ -> plain;
    };
  }

  private static OpKernel each(Node node, ElementType type, int items, Producer.Factory factory) {
    return new ElementKernel(factory, Epilogue.of(node, type), items);
  }

  private static OpKernel reduce(Node node, Op.Reduce op, ElementType operand) {
    Code map = PlainReduce.map(op.map(), operand);
    ElementType result = op.kind().isArg() ? ElementType.I64 : map.type();
    return each(node, result, -1, PlainReduce.of(op, map));
  }

  private static OpKernel gather(Node node, Op.Gather op, ElementType type) {
    IndexTuples.Factory tuples = tuples(node, op);
    return each(node, type, -1, t -> PlainMoves.gather(tuples, t));
  }

  private static IndexTuples.Factory tuples(Node node, Op.Gather op) {
    return IndexTuples.Factory.of(node, op.selection(), op.bounds());
  }

  /* How many last axes of the result lie after all indices, hence are the last of the data too. */
  private static int stretchAxes(Node node, Op.Gather op) {
    Addressing addressing = tuples(node, op).addressing();
    return node.output().type().rank() - addressing.firstAxis() - addressing.tupleAxes();
  }

  /// Whether axis 0 is the batch.
  static boolean hasBatchRows(TensorType type) {
    return type.rank() > 0 && !type.dim(0).isConstant();
  }
}
