package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatProgram;
import io.miniinference.interp.expr.MixedProgram;
import io.miniinference.interp.expr.WholeProgram;
import io.miniinference.interp.plain.LineKernel;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.interp.plain.PlainKernels;
import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.List;

/// The kernels with fast forms, where the data of a run allows one; elsewhere they do as the plain
/// one does.
public final class FastKernels {
  private FastKernels() {}

  /// The fast form of a node's plain kernel, or that one.
  public static OpKernel of(Node node, OpKernel plain) {
    if (node.op() instanceof Op.View v) {
      return FastMoves.view(v.map(), plain);
    }
    if (node.epilogue() == null && node.op() instanceof Op.Concat c) {
      return FastMoves.concat(c.axis(), plain);
    }
    if (node.epilogue() == null && node.op() instanceof Op.Gather g) {
      return FastMoves.gather(PlainKernels.tuples(node, g), stretchAxes(node, g), plain);
    }
    if (node.op() instanceof Op.Elementwise e) {
      return elementwise(node, e, plain);
    }
    return areFloats(node.operandValues()) ? heavy(node, plain) : plain;
  }

  private static boolean areFloats(List<Value> values) {
    return values.stream().allMatch(v -> v.type().element() == ElementType.F32);
  }

  private static OpKernel elementwise(Node node, Op.Elementwise op, OpKernel plain) {
    List<ElementType> types = node.inputs().stream().map(v -> v.type().element()).toList();
    int rank = node.output().type().rank();
    return FloatProgram.of(op.expr(), types)
        .<OpKernel>map(program -> new FastElementwise(program, plain))
        .or(() ->
            WholeProgram.of(op.expr(), types)
                .map(program -> new FastWholes(program, mixed(op, types, rank, plain))))
        .orElseGet(() -> mixed(op, types, rank, plain));
  }

  private static OpKernel mixed(
      Op.Elementwise op, List<ElementType> types, int rank, OpKernel plain) {
    return MixedProgram.of(op.expr(), types, rank)
        .<OpKernel>map(program -> new FastMixed(program, plain))
        .orElse(plain);
  }

  private static OpKernel heavy(Node node, OpKernel plain) {
    return switch (node.op()) {
      case Op.MatMul m -> new FastMatMul(m, node, plain);
      case Op.Conv c -> FastConv.forward(c, node, plain);
      case Op.ConvTranspose c -> FastConv.transposed(c, node, plain);
      case Op.WindowReduce w -> new FastWindow(w, node, plain);
      case Op.Reduce r -> FastReduce.of(r, node, plain);
      case Op.RowOp _ -> plain instanceof LineKernel lines ? new FastLines(lines, node) : plain;
      case Op.Elementwise _, Op.Rearrangement _, Op.Indexed _, Op.Control _ -> plain;
      case Op.Attention _ -> plain;
    };
  }

  /* How many last axes of the result lie after all indices, hence are the last of the data too. */
  private static int stretchAxes(Node node, Op.Gather op) {
    Addressing addressing = PlainKernels.tuples(node, op).addressing();
    return node.output().type().rank() - addressing.firstAxis() - addressing.tupleAxes();
  }
}
