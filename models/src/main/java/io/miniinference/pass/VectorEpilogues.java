package io.miniinference.pass;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.List;

/// Which epilogues a convolution or matrix product can apply to its results while they are in
/// vector registers: `f32` throughout, at the result's own index, over inputs of the result's
/// shape, or that vary along the axis in the lanes only (channels, or columns of a product).
public final class VectorEpilogues {
  private VectorEpilogues() {}

  /// Whether the node's epilogue is one of these, or the node is of another kind.
  public static boolean suits(Node node) {
    return switch (node.op()) {
      case Op.Convolution _ -> suits(node, 1);
      case Op.MatMul _ -> suits(node, node.output().type().rank() - 1);
      case Op.Elementwise _,
          Op.Reduce _,
          Op.Rearrangement _,
          Op.Indexed _,
          Op.WindowReduce _,
          Op.RowOp _,
          Op.Control _ ->
          true;
    };
  }

  private static boolean suits(Node node, int laneAxis) {
    Expr epilogue = node.epilogue();
    return epilogue == null
        || (isPlain(epilogue)
            && node.output().type().element() == ElementType.F32
            && node.epilogueValues().stream()
                .allMatch(v -> isVector(v, node.output().type(), laneAxis)));
  }

  private static boolean isPlain(Expr expr) {
    return switch (expr) {
      case Expr.Arg _ -> true;
      case Expr.Const constant -> constant.type() == ElementType.F32;
      case Expr.Unary _, Expr.Binary _, Expr.Select _ ->
          ExprTree.children(expr).stream().allMatch(VectorEpilogues::isPlain);
      case Expr.At _, Expr.Index _, Expr.Extent _, Expr.Cast _ -> false;
    };
  }

  private static boolean isVector(Value value, TensorType result, int laneAxis) {
    List<Affine> shape = value.type().shape();
    if (value.type().element() != ElementType.F32) {
      return false;
    }
    int axis = laneAxis - (result.rank() - shape.size());
    return shape.equals(result.shape())
        || (axis >= 0
            && shape.get(axis).equals(result.dim(laneAxis))
            && value.type().elements().equals(shape.get(axis)));
  }
}
