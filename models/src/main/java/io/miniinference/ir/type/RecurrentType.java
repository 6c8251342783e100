package io.miniinference.ir.type;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Op;
import io.miniinference.ir.RecurrentCell;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.List;

/// The types of a recurrent layer's results.
final class RecurrentType {
  private static final int OUTPUT_AND_FORGET = 3;

  private final Op.Recurrent op;
  private final List<TensorType> operands;
  private final TensorType inputs;

  private RecurrentType(Op.Recurrent op, List<TensorType> operands) {
    this.op = op;
    this.operands = operands;
    this.inputs = operands.getFirst();
  }

  /// @throws IllegalArgumentException if the operator cannot take the operands
  static List<TensorType> of(Op.Recurrent op, List<TensorType> operands) {
    int count = 2 + op.given().size();
    require(operands.size() == count, "takes %d operands, not %d", count, operands.size());
    RecurrentType rule = new RecurrentType(op, operands);
    rule.check();
    return op.parts().stream().map(rule::result).toList();
  }

  private static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new IllegalArgumentException(message.formatted(values));
    }
  }

  private RecurrentCell.Kind kind() {
    return op.cell().kind();
  }

  private Affine hidden() {
    return operands.get(Op.Recurrent.WEIGHTS).dim(1);
  }

  private void check() {
    requireParts();
    TensorType weights = operands.get(Op.Recurrent.WEIGHTS);
    require(inputs.element().isFloat(), "needs floats, not %s", inputs);
    require(inputs.rank() == 3, "inputs must be [steps, batch, gates * hidden], not %s", inputs);
    require(weights.rank() == 2 && weights.isStatic(), "has weights %s", weights);
    require(inputs.dim(0).isConstant(), "%s steps have no fixed number", inputs.dim(0));
    Affine rows = hidden().times(kind().gates());
    requireType(Op.Recurrent.WEIGHTS, List.of(rows, hidden()));
    require(inputs.dim(2).equals(rows), "inputs must have %s columns: %s", rows, inputs);
    op.given().forEach(this::given);
    requireFunctions();
  }

  private void given(Op.Recurrent.Given operand) {
    int place = op.place(operand);
    switch (operand) {
      case BIAS -> requireType(place, List.of(hidden()));
      case PEEPHOLES -> requireType(place, List.of(hidden().times(OUTPUT_AND_FORGET)));
      case HIDDEN, CELL -> requireType(place, List.of(Affine.ONE, inputs.dim(1), hidden()));
      case LENGTHS -> {
        TensorType lengths = operands.get(place);
        ElementType type = lengths.element();
        require(
            (type == ElementType.I32 || type == ElementType.I64)
                && lengths.shape().equals(List.of(Affine.ONE, inputs.dim(1), Affine.ONE)),
            "has lengths %s for inputs %s",
            lengths,
            inputs);
      }
    }
  }

  private void requireType(int place, List<Affine> shape) {
    TensorType expected = new TensorType(inputs.element(), shape);
    require(
        operands.get(place).equals(expected),
        "operand %d is %s, needs %s",
        place,
        operands.get(place),
        expected);
  }

  private void requireParts() {
    boolean hasCell =
        op.parts().contains(Op.Recurrent.Part.CELL)
            || op.given().contains(Op.Recurrent.Given.CELL)
            || op.given().contains(Op.Recurrent.Given.PEEPHOLES);
    require(!hasCell || kind().hasCellState(), "%s has no cell state", kind());
    boolean hasBias = op.given().contains(Op.Recurrent.Given.BIAS);
    require(!hasBias || kind() == RecurrentCell.Kind.GRU_LINEAR, "%s takes no bias", kind());
    require(!op.parts().isEmpty(), "has no results");
    requireOrder(op.parts());
    requireOrder(op.given());
  }

  private static <E extends Enum<E>> void requireOrder(List<E> names) {
    require(names.stream().distinct().sorted().toList().equals(names), "%s in disorder", names);
  }

  private void requireFunctions() {
    List<Expr> functions = op.cell().functions();
    int count = kind().functions();
    require(functions.size() == count, "has %d functions, needs %d", functions.size(), count);
    for (Expr function : functions) {
      ExprTree.visit(function, e -> require(isOfOne(e), "a function reads more than its argument"));
      ElementType type = ExprType.of(function, List.of(inputs.element()));
      require(type == inputs.element(), "a function gives %s", type);
    }
  }

  private static boolean isOfOne(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int index) -> index == 0;
      case Expr.At _, Expr.Index _, Expr.Extent _ -> false;
      case Expr.Const _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ -> true;
    };
  }

  private TensorType result(Op.Recurrent.Part part) {
    Affine first = part == Op.Recurrent.Part.STATES ? inputs.dim(0) : Affine.ONE;
    return new TensorType(inputs.element(), List.of(first, inputs.dim(1), hidden()));
  }
}
