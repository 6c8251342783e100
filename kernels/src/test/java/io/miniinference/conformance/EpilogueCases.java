package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.arg;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.ExprType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every function of `F32` as the epilogue of a convolution, where writers have other forms of it
/// than for one element: over the edges of its range, in any neighbourhood, and over plain numbers.
final class EpilogueCases {
  private static final int CHANNELS = 16;

  private EpilogueCases() {}

  static List<Sheet> sheets() {
    return List.of(functions());
  }

  /// All functions of floats by name.
  ///
  /// @param a their operand
  /// @param b their second operand, where they have two
  /// @param result what they result in
  static Map<String, Expr> functions(Expr a, Expr b, ElementType result) {
    Map<String, Expr> all = new LinkedHashMap<>();
    Arrays.stream(UnaryOp.values()).forEach(op -> all.put(op.name(), new Unary(op, a)));
    Arrays.stream(BinaryOp.values()).forEach(op -> all.put(op.name(), new Binary(op, a, b)));
    all.values().removeIf(expr -> !gives(expr, result));
    return all;
  }

  private static boolean gives(Expr expr, ElementType result) {
    List<ElementType> floats = List.of(ElementType.F32, ElementType.F32, ElementType.F32);
    try {
      return ExprType.of(expr, floats) == result;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Sheet functions() {
    Sheet s = new Sheet("functions as epilogues", 120).batches(20L, 1L);
    Value x = s.input(Sheet.batch(2, 1, 3));
    Value w = s.constant(CHANNELS, 2, 1, 1);
    Op op = new Op.Conv(WindowCases.window(2, 1, 1, 1, 0, 0), 1);
    for (Data data : List.of(Data.EDGES, Data.UNIT, Data.POSITIVE)) {
      Value a = s.input(data, ElementType.F32, Sheet.batch(CHANNELS, 1, 3));
      Value b = s.input(data, ElementType.F32, Sheet.batch(CHANNELS, 1, 3));
      functions(arg(1), arg(2), ElementType.F32)
          .forEach((name, epilogue) -> {
            String label = name + " of " + data;
            List<Value> extra = epilogue instanceof Unary ? List.of(a) : List.of(a, b);
            s.check(label, s.at(label).op(op, List.of(x, w), epilogue, extra));
          });
    }
    return s;
  }
}
