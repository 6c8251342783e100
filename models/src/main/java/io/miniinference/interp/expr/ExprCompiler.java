package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// Turns an [Expr] into nested functions, once per node.
public final class ExprCompiler {
  private final List<ElementType> types;
  private final boolean carriesFirst;
  private final boolean[] walked;

  private ExprCompiler(List<ElementType> types, boolean carriesFirst) {
    this.types = types;
    this.carriesFirst = carriesFirst;
    this.walked = new boolean[types.size()];
  }

  /// A compiled expression and the operands that it reads at the walked index.
  @SuppressWarnings("ArrayRecordComponent")
  public record Compiled(Code code, boolean[] walked) {}

  /// Compiles an expression over operands of the given types.
  public static Compiled overOperands(Expr expr, List<ElementType> types) {
    ExprCompiler compiler = new ExprCompiler(types, false);
    return new Compiled(compiler.code(expr), compiler.walked);
  }

  /// Compiles an expression whose operand 0 is the value that the cursor carries.
  public static Compiled overValue(Expr expr, List<ElementType> types) {
    ExprCompiler compiler = new ExprCompiler(types, true);
    return new Compiled(compiler.code(expr), compiler.walked);
  }

  private static Code whole(ElementType type, Code.WholeFunction at) {
    return new Code.Whole(type, at);
  }

  private static Code real(ElementType type, Code.RealFunction at) {
    return new Code.Real(type, at);
  }

  private Code code(Expr expr) {
    return switch (expr) {
      case Expr.Arg arg -> argument(arg.index());
      case Expr.At at -> element(at);
      case Expr.Const c -> constant(c);
      case Expr.Index(int axis) -> whole(ElementType.I64, c -> c.index[axis]);
      case Expr.Extent(Affine value) -> extent(value);
      case Expr.Unary(UnaryOp op, Expr operand) -> unary(op, code(operand));
      case Expr.Binary(BinaryOp op, Expr left, Expr right) -> binary(op, code(left), code(right));
      case Expr.Select(Expr condition, Expr then, Expr otherwise) ->
          select(code(condition).whole(), code(then), code(otherwise));
      case Expr.Cast(ElementType to, Expr operand) -> cast(to, code(operand));
    };
  }

  private Code argument(int k) {
    ElementType type = types.get(k);
    if (carriesFirst && k == 0) {
      return type.isFloat() ? real(type, c -> c.real) : whole(type, c -> c.whole);
    }
    walked[k] = true;
    if (type == ElementType.F32) {
      return real(type, c -> c.operand(k).floatAt(c.offsets[k]));
    }
    return type.isFloat()
        ? real(type, c -> c.operand(k).realAt(c.offsets[k]))
        : whole(type, c -> c.operand(k).wholeAt(c.offsets[k]));
  }

  private Code element(Expr.At at) {
    int k = at.index();
    ElementType type = types.get(k);
    Code.WholeFunction[] coordinates =
        at.coordinates().stream().map(e -> code(e).whole()).toArray(Code.WholeFunction[]::new);
    return type.isFloat()
        ? real(type, c -> c.operands[k].realAt(offset(c.operands[k], coordinates, c)))
        : whole(type, c -> c.operands[k].wholeAt(offset(c.operands[k], coordinates, c)));
  }

  private static long offset(TensorView view, Code.WholeFunction[] coordinates, Cursor c) {
    Strides strides = view.strides();
    long offset = strides.base();
    for (int i = 0; i < coordinates.length; i++) {
      long index = Objects.checkIndex(coordinates[i].at(c), strides.extents()[i]);
      offset += strides.along(i, index);
    }
    return offset;
  }

  private static Code constant(Expr.Const constant) {
    ElementType type = constant.type();
    if (type.isFloat()) {
      double value = Numbers.narrow(type, constant.asDouble());
      return real(type, c -> value);
    }
    long value = Numbers.wrap(type, constant.bits());
    return whole(type, c -> value);
  }

  private static Code extent(Affine value) {
    return whole(ElementType.I64, c -> value.constant() + value.perBatch() * c.n);
  }

  private static Code unary(UnaryOp op, Code operand) {
    return switch (operand) {
      case Code.Real(ElementType type, Code.RealFunction a) -> realUnary(op, type, a);
      case Code.Whole(ElementType type, Code.WholeFunction a) when op == UnaryOp.OF_BITS ->
          type == ElementType.I64
              ? real(ElementType.F64, c -> Double.longBitsToDouble(a.at(c)))
              : real(ElementType.F32, c -> Float.intBitsToFloat((int) a.at(c)));
      case Code.Whole(ElementType type, Code.WholeFunction a) -> {
        LongUnaryOperator f = WholeMath.unary(op, type);
        ElementType result = isTest(op) ? ElementType.BOOL : type;
        yield whole(result, c -> Numbers.wrap(type, f.applyAsLong(a.at(c))));
      }
    };
  }

  private static boolean isTest(UnaryOp op) {
    return op == UnaryOp.IS_NAN || op == UnaryOp.IS_INF;
  }

  private static Code realUnary(UnaryOp op, ElementType type, Code.RealFunction a) {
    if (op == UnaryOp.IS_NAN) {
      return whole(ElementType.BOOL, c -> Double.isNaN(a.at(c)) ? 1 : 0);
    }
    if (op == UnaryOp.IS_INF) {
      return whole(ElementType.BOOL, c -> Double.isInfinite(a.at(c)) ? 1 : 0);
    }
    if (op == UnaryOp.BITS) {
      return type == ElementType.F64
          ? whole(ElementType.I64, c -> Double.doubleToRawLongBits(a.at(c)))
          : whole(ElementType.I32, c -> Float.floatToRawIntBits((float) a.at(c)));
    }
    DoubleUnaryOperator f = type == ElementType.F32 ? RealMath.ofFloats(op) : RealMath.unary(op);
    return type == ElementType.F64
        ? real(type, c -> f.applyAsDouble(a.at(c)))
        : real(type, c -> (float) f.applyAsDouble(a.at(c)));
  }

  private static Code binary(BinaryOp op, Code left, Code right) {
    if (left.type() != right.type()) {
      throw new IllegalArgumentException(
          op + " of " + left.type() + " and " + right.type() + "; cast one of them");
    }
    return left instanceof Code.Real
        ? realBinary(op, left.type(), left.real(), right.real())
        : wholeBinary(op, left.type(), left.whole(), right.whole());
  }

  private static Code realBinary(
      BinaryOp op, ElementType type, Code.RealFunction a, Code.RealFunction b) {
    if (op.isComparison()) {
      return whole(ElementType.BOOL, c -> RealMath.compare(op, a.at(c), b.at(c)) ? 1 : 0);
    }
    DoubleBinaryOperator f = RealMath.binary(op);
    return type == ElementType.F64
        ? real(type, c -> f.applyAsDouble(a.at(c), b.at(c)))
        : real(type, c -> (float) f.applyAsDouble(a.at(c), b.at(c)));
  }

  private static Code wholeBinary(
      BinaryOp op, ElementType type, Code.WholeFunction a, Code.WholeFunction b) {
    LongBinaryOperator f = WholeMath.binary(op, type);
    if (op.isComparison()) {
      return whole(ElementType.BOOL, c -> f.applyAsLong(a.at(c), b.at(c)));
    }
    if (op == BinaryOp.DIV || op == BinaryOp.REM || op == BinaryOp.MOD) {
      return whole(type, c -> Numbers.wrap(type, quotient(f, a.at(c), b.at(c), c)));
    }
    return whole(type, c -> Numbers.wrap(type, f.applyAsLong(a.at(c), b.at(c))));
  }

  private static long quotient(LongBinaryOperator f, long a, long b, Cursor c) {
    if (b == 0) {
      c.dividedByZero = true;
    }
    return f.applyAsLong(a, b);
  }

  private static Code select(Code.WholeFunction condition, Code then, Code otherwise) {
    if (then.type() != otherwise.type()) {
      throw new IllegalArgumentException(
          "a choice between " + then.type() + " and " + otherwise.type() + "; cast one of them");
    }
    if (then instanceof Code.Real) {
      Code.RealFunction a = then.real();
      Code.RealFunction b = otherwise.real();
      return real(then.type(), c -> condition.at(c) != 0 ? a.at(c) : b.at(c));
    }
    Code.WholeFunction a = then.whole();
    Code.WholeFunction b = otherwise.whole();
    return whole(then.type(), c -> condition.at(c) != 0 ? a.at(c) : b.at(c));
  }

  private static Code cast(ElementType to, Code operand) {
    return switch (operand) {
      case Code.Real(ElementType from, Code.RealFunction a) when from == to -> operand;
      case Code.Real(ElementType from, Code.RealFunction a) ->
          to.isFloat()
              ? real(to, c -> Numbers.narrow(to, a.at(c)))
              : whole(to, c -> Numbers.toWhole(to, a.at(c)));
      case Code.Whole(ElementType from, Code.WholeFunction a) -> castWhole(to, from, a);
    };
  }

  private static Code castWhole(ElementType to, ElementType from, Code.WholeFunction a) {
    if (to == ElementType.F64) {
      return real(to, c -> Numbers.toReal(from, a.at(c)));
    }
    return to.isFloat()
        ? real(to, c -> Numbers.narrow(to, Numbers.toFloat(from, a.at(c))))
        : whole(to, c -> Numbers.wrap(to, a.at(c)));
  }
}
