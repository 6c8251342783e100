package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Code;
import io.miniinference.interp.memory.IndexTuples;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TreeEnsemble;

/// The kernels without fast forms, one for every operator: the oracle.
public final class PlainKernels {
  private PlainKernels() {}

  /// @throws IllegalStateException for an operator with bodies, whose nodes are what is run
  public static OpKernel of(Node node) {
    ElementType first =
        node.inputs().isEmpty()
            ? node.outputs().getFirst().type().element()
            : Op.Contraction.sums(node);
    return switch (node.op()) {
      case Op.Elementwise e -> new ElementwiseKernel(node, e.expr());
      case Op.Reduce r -> reduce(node, r, first);
      case Op.View v -> each(node, first, -1, t -> PlainMoves.view(v.map(), t));
      case Op.Concat c -> each(node, first, -1, t -> PlainMoves.concat(c.axis(), t));
      case Op.Gather g -> gather(node, g, first);
      case Op.Scatter s -> ScatterKernel.of(node, s);
      case Op.MatMul m ->
          each(node, first, node.output().type().rank() - 1, t -> new PlainMatMul(m, t));
      case Op.Attention a -> new AttentionKernel(a, Epilogue.of(node, first));
      case Op.Conv c -> each(node, first, 2, t -> PlainConv.forward(c, t));
      case Op.ConvTranspose c -> each(node, first, 2, t -> PlainConv.transposed(c, t));
      case Op.WindowReduce w -> each(node, first, 2, t -> new PlainWindow(w, t));
      case Op.Softmax s -> LineKernel.softmax(s, Epilogue.of(node, first));
      case Op.Normalize n -> LineKernel.normalize(n, Epilogue.of(node, first));
      case Op.Scan s -> LineKernel.scan(s, Epilogue.of(node, first));
      case Op.TopK t -> new TopKKernel(t);
      case Op.NonMaxSuppression n -> new NonMaxSuppressionKernel(n);
      case Op.Recurrent r -> new RecurrentKernel(r, RecurrentFormulas.of(r, first));
      case TreeEnsemble t -> new TreeEnsembleKernel(t);
      case Op.Control c -> throw bodies(node);
    };
  }

  public static IllegalStateException bodies(Node node) {
    return new IllegalStateException(
        "node '" + node.name() + "' has bodies; the nodes in them are what is run");
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

  public static IndexTuples.Factory tuples(Node node, Op.Gather op) {
    return IndexTuples.Factory.of(node, op.selection(), op.bounds());
  }
}
