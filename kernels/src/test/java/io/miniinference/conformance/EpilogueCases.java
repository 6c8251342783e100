package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.log1p;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.type.ExprType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every function of `F32` as the epilogue of a convolution, where writers have other forms of it
/// than for one element: over the edges of its range, in any neighbourhood, and over plain numbers.
final class EpilogueCases {
  private static final int CHANNELS = 16;
  private static final Expr HALF = const_(ElementType.F32, 0.5);
  private static final Window WINDOW = WindowCases.window(2, 3, 1, 1, 1, 1);

  private EpilogueCases() {}

  static List<Sheet> sheets() {
    return List.of(functions(), repeated());
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

  /* Mish of what is not cheap to compute twice, under each writer of vectors. */
  private static Sheet repeated() {
    Sheet s = new Sheet("epilogues with repeated parts", 121).batches(3L, 1L);
    Expr inner = tanh(mul(arg(0), arg(1)));
    Expr softplus = add(max(inner, HALF), log1p(exp(neg(abs(inner)))));
    Expr outer = mul(max(tanh(softplus), inner), softplus);
    Value image = s.input(Sheet.batch(6, 5, 6));
    Value blocked = s.at("c").conv(WINDOW, 1, image, s.constant(CHANNELS, 6, 3, 3));
    Value weights = s.constant(CHANNELS, 6, 3, 3);
    Value turned = s.constant(6, CHANNELS, 3, 3);
    Value filters = s.constant(CHANNELS, 1, 3, 3);
    Value slopes = s.constant(CHANNELS, 1, 1);
    host(s, "convolution", new Op.Conv(WINDOW, 1), outer, slopes, image, weights);
    host(s, "depthwise", new Op.Conv(WINDOW, CHANNELS), outer, slopes, blocked, filters);
    Op transposed = new Op.ConvTranspose(WINDOW, 1, List.of(0, 0));
    host(s, "transposed", transposed, outer, slopes, image, turned);
    host(s, "pool", new Op.WindowReduce(PoolKind.MAX, WINDOW, false), outer, slopes, blocked);
    Value rows = s.input(Sheet.batch(9, 24));
    Op product = new Op.MatMul(false, false);
    for (long columns : new long[] {32, 21}) {
      Value w = s.constant(24, columns);
      host(s, "product of " + columns, product, outer, s.constant(columns), rows, w);
    }
    return s;
  }

  private static void host(
      Sheet s, String label, Op op, Expr epilogue, Value extra, Value... operands) {
    s.check(label, s.at(label).op(op, List.of(operands), epilogue, List.of(extra)));
  }
}
