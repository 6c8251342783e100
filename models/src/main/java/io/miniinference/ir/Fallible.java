package io.miniinference.ir;

import java.util.ArrayList;
import java.util.List;

/// Which nodes may find out at run time that their data does not allow them: an index out of
/// bounds, an integer divided by zero. The order of such nodes is observable, since the first
/// failure wins. A node with bodies may fail if a node in them may.
public final class Fallible {
  private Fallible() {}

  public static boolean mayFail(Node node) {
    Expr epilogue = node.epilogue();
    return mayFail(node.op(), elements(node.operandValues()))
        || (epilogue != null && mayFail(epilogue, epilogueElements(node)));
  }

  private static boolean mayFail(Op op, List<ElementType> operands) {
    return switch (op) {
      case Op.Gather _, Op.Scatter _ -> true;
      case Op.Control control ->
          control.bodies().stream().anyMatch(b -> b.nodes().stream().anyMatch(Fallible::mayFail));
      case Op.Elementwise elementwise -> mayFail(elementwise.expr(), operands);
      case Op.Reduce reduce -> mayFail(reduce.map(), operands);
      case Op.View _,
          Op.Concat _,
          Op.MatMul _,
          Op.Conv _,
          Op.ConvTranspose _,
          Op.WindowReduce _,
          Op.Softmax _,
          Op.Normalize _,
          Op.Scan _ ->
          false;
    };
  }

  /// Whether an integer may be divided by zero.
  public static boolean mayFail(Expr expr, List<ElementType> operands) {
    boolean here =
        expr instanceof Expr.Binary binary
            && divides(binary.op())
            && !isNonZero(binary.right())
            && ExprType.of(binary.right(), operands).isInteger();
    return here || ExprTree.children(expr).stream().anyMatch(child -> mayFail(child, operands));
  }

  private static boolean divides(Expr.BinaryOp op) {
    return op == Expr.BinaryOp.DIV || op == Expr.BinaryOp.REM || op == Expr.BinaryOp.MOD;
  }

  private static boolean isNonZero(Expr divisor) {
    return switch (divisor) {
      case Expr.Const constant -> constant.bits() != 0;
      case Expr.Extent extent ->
          extent.value().isConstant()
              ? extent.value().constant() != 0
              : extent.value().constant() >= 0 && extent.value().perBatch() > 0;
      case Expr.Arg _,
          Expr.At _,
          Expr.Index _,
          Expr.Unary _,
          Expr.Binary _,
          Expr.Select _,
          Expr.Cast _ ->
          false;
    };
  }

  private static List<ElementType> epilogueElements(Node node) {
    TensorType own = OpType.of(node.op(), node.operandValues().stream().map(Value::type).toList());
    List<ElementType> result = new ArrayList<>();
    result.add(own.element());
    result.addAll(elements(node.epilogueValues()));
    return result;
  }

  private static List<ElementType> elements(List<Value> values) {
    return values.stream().map(v -> v.type().element()).toList();
  }
}
