package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.expr.Combiner;
import io.miniinference.interp.expr.RealMath;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ElementType.Kind;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Every scalar operator at the edges of every element type, against arithmetic of another kind:
/// big integers, or the type's own Java operators.
class ExprEdgeTest {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    0.25,
    0.5,
    -0.5,
    1,
    -1,
    1.5,
    2.5,
    -2.5,
    3,
    -7,
    1e-3,
    300,
    -70000,
    3e9,
    1e19,
    -1e19,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };
  private static final Set<BinaryOp> WHOLE_ONLY = EnumSet.range(BinaryOp.AND, BinaryOp.SHIFT_RIGHT);
  private static final Set<UnaryOp> NOT_REAL =
      EnumSet.of(UnaryOp.NOT, UnaryOp.BIT_NOT, UnaryOp.BITS, UnaryOp.OF_BITS);
  private static final Set<UnaryOp> REAL_TESTS = EnumSet.of(UnaryOp.IS_NAN, UnaryOp.IS_INF);

  private static BigInteger big(ElementType type, long value) {
    return type == ElementType.U64
        ? new BigInteger(Long.toUnsignedString(value))
        : BigInteger.valueOf(value);
  }

  /// Edges of an integer type, as longs.
  private static long[] edges(ElementType type) {
    if (type == ElementType.BOOL) {
      return new long[] {0, 1};
    }
    long low = Combiner.lowest(type);
    long high = Combiner.highest(type);
    return LongStream.of(0, 1, 2, 3, 5, 7, 31, -1, -2, -7, low, low + 1, high, high - 1, high / 2)
        .map(v -> Numbers.wrap(type, v))
        .distinct()
        .toArray();
  }

  private static boolean takes(BinaryOp op, ElementType type) {
    boolean logical = op == BinaryOp.AND || op == BinaryOp.OR || op == BinaryOp.XOR;
    if (op.isComparison() || op == BinaryOp.MIN || op == BinaryOp.MAX) {
      return true;
    }
    return type == ElementType.BOOL ? logical : !logical && op != BinaryOp.ATAN2;
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void binaryOperatorsAgreeWithArithmeticOfAnotherKind(ElementType type) {
    if (type.isFloat()) {
      realOperatorsRoundOnce(type);
    } else {
      integerOperatorsWrap(type);
    }
  }

  private void integerOperatorsWrap(ElementType type) {
    for (BinaryOp op : BinaryOp.values()) {
      if (!takes(op, type)) {
        continue;
      }
      long[] edges = edges(type);
      for (long b : edges) {
        Tensor x = Tensors.wholes(type, Tensors.shape(edges.length), edges);
        Tensor y = Tensors.wholes(type, Tensors.shape(1), b);
        long[] expected =
            LongStream.of(edges)
                .map(a -> reference(op, type, big(type, a), big(type, b)))
                .toArray();
        assertThat(ignoringDivision(op, type, x, y))
            .as(op + " " + type + " of " + Arrays.toString(edges) + " and " + b)
            .containsExactly(expected);
      }
    }
  }

  private static long[] ignoringDivision(BinaryOp op, ElementType type, Tensor x, Tensor y) {
    Expr expr = new Binary(op, new Arg(0), new Arg(1));
    TensorType out = TensorType.of(op.isComparison() ? ElementType.BOOL : type, x.shape());
    var node = Tensors.node(new io.miniinference.ir.Op.Elementwise(expr, out), out, List.of(x, y));
    return Tensors.wholes(Interpreter.evaluate(node, List.of(x, y), 1, new RecordedFailures()));
  }

  private static long reference(BinaryOp op, ElementType type, BigInteger a, BigInteger b) {
    int width = type.bytes() * 8;
    boolean zero = b.signum() == 0;
    BigInteger result =
        switch (op) {
          case ADD -> a.add(b);
          case SUB -> a.subtract(b);
          case MUL -> a.multiply(b);
          case DIV -> zero ? BigInteger.ZERO : a.divide(b);
          case REM -> zero ? BigInteger.ZERO : a.remainder(b);
          case MOD -> zero ? BigInteger.ZERO : floorMod(a, b);
          case POW -> power(a, b);
          case MIN -> a.min(b);
          case MAX -> a.max(b);
          case AND, BIT_AND -> a.and(b);
          case OR, BIT_OR -> a.or(b);
          case XOR, BIT_XOR -> a.xor(b);
          case SHIFT_LEFT -> shifts(b, width) ? a.shiftLeft(b.intValue()) : BigInteger.ZERO;
          case SHIFT_RIGHT -> shifts(b, width) ? a.shiftRight(b.intValue()) : BigInteger.ZERO;
          case EQ -> bit(a.compareTo(b) == 0);
          case NE -> bit(a.compareTo(b) != 0);
          case LT -> bit(a.compareTo(b) < 0);
          case LE -> bit(a.compareTo(b) <= 0);
          case GT -> bit(a.compareTo(b) > 0);
          case GE -> bit(a.compareTo(b) >= 0);
          case ATAN2 -> throw new IllegalArgumentException("not for integers");
        };
    return op.isComparison() ? result.longValue() : Numbers.wrap(type, result.longValue());
  }

  private static boolean shifts(BigInteger by, int width) {
    return by.signum() >= 0 && by.compareTo(BigInteger.valueOf(width)) < 0;
  }

  private static BigInteger bit(boolean set) {
    return set ? BigInteger.ONE : BigInteger.ZERO;
  }

  private static BigInteger floorMod(BigInteger a, BigInteger b) {
    BigInteger m = a.mod(b.abs());
    return b.signum() < 0 && m.signum() != 0 ? m.add(b) : m;
  }

  private static BigInteger power(BigInteger a, BigInteger b) {
    if (b.signum() >= 0) {
      return a.mod(BigInteger.TWO.pow(64)).modPow(b, BigInteger.TWO.pow(64));
    }
    if (a.abs().equals(BigInteger.ONE)) {
      return b.testBit(0) ? a : BigInteger.ONE;
    }
    return BigInteger.ZERO;
  }

  private void realOperatorsRoundOnce(ElementType type) {
    double[] edges = Arrays.stream(EDGES).map(v -> Numbers.narrow(type, v)).toArray();
    Tensor x = Tensors.reals(type, Tensors.shape(edges.length), edges);
    for (BinaryOp op : BinaryOp.values()) {
      if (WHOLE_ONLY.contains(op)) {
        continue;
      }
      for (double b : edges) {
        Tensor y = Tensors.reals(type, Tensors.shape(1), b);
        TensorType out = TensorType.of(op.isComparison() ? ElementType.BOOL : type, x.shape());
        Tensor got = Tensors.eval(new Binary(op, new Arg(0), new Arg(1)), out, x, y);
        double[] expected =
            Arrays.stream(edges)
                .map(a -> Numbers.narrow(type, reference(op, type, a, b)) + 0.0)
                .toArray();
        assertThat(Arrays.stream(Tensors.reals(got)).map(v -> v + 0.0).toArray())
            .as(op + " " + type + " of " + Arrays.toString(edges) + " and " + b)
            .containsExactly(expected);
      }
    }
  }

  /// What Java's own operators on the type give.
  private static double reference(BinaryOp op, ElementType type, double a, double b) {
    boolean wide = type == ElementType.F64;
    float x = (float) a;
    float y = (float) b;
    return switch (op) {
      case ADD -> wide ? a + b : x + y;
      case SUB -> wide ? a - b : x - y;
      case MUL -> wide ? a * b : x * y;
      case DIV -> wide ? a / b : x / y;
      case REM -> wide ? a % b : x % y;
      case MOD -> wide ? mod(a, b) : (float) mod(a, b);
      case POW -> a == 1 || b == 0 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
      case MIN -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : a < b ? a : b;
      case MAX -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : a > b ? a : b;
      case ATAN2 -> Math.atan2(a, b);
      case EQ -> a == b ? 1 : 0;
      case NE -> a != b ? 1 : 0;
      case LT -> a < b ? 1 : 0;
      case LE -> a <= b ? 1 : 0;
      case GT -> a > b ? 1 : 0;
      case GE -> a >= b ? 1 : 0;
      default -> throw new IllegalArgumentException(op + " is not for floats");
    };
  }

  private static double mod(double a, double b) {
    double r = a % b;
    return r != 0 && r * b < 0 ? r + b : r;
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64", "F16", "BF16"})
  void realFunctionsAgreeWithStrictMath(ElementType type) {
    double[] edges = Arrays.stream(EDGES).map(v -> Numbers.narrow(type, v)).toArray();
    Tensor x = Tensors.reals(type, Tensors.shape(edges.length), edges);
    for (UnaryOp op : UnaryOp.values()) {
      if (NOT_REAL.contains(op)) {
        continue;
      }
      ElementType result = REAL_TESTS.contains(op) ? ElementType.BOOL : type;
      double[] got =
          Tensors.reals(
              Tensors.eval(new Unary(op, new Arg(0)), TensorType.of(result, x.shape()), x));
      for (int i = 0; i < edges.length; i++) {
        double expected =
            Numbers.narrow(result.isFloat() ? type : ElementType.F64, reference(op, edges[i]));
        if (got[i] != expected && !(Double.isNaN(got[i]) && Double.isNaN(expected))) {
          double step = type == ElementType.F64 ? 3e-14 : type == ElementType.F32 ? 1e-6 : 1e-2;
          assertThat(got[i])
              .as(op + " " + type + " of " + edges[i])
              .isCloseTo(expected, within(step * Math.abs(expected)));
        }
      }
    }
  }

  private static double reference(UnaryOp op, double x) {
    return switch (op) {
      case NEG -> 0 - x;
      case ABS -> x < 0 ? 0 - x : x;
      case SIGN -> Double.isNaN(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
      case SQRT -> StrictMath.sqrt(x);
      case RECIPROCAL -> 1 / x;
      case EXP -> StrictMath.exp(x);
      case EXPM1 -> StrictMath.expm1(x);
      case LOG -> StrictMath.log(x);
      case LOG1P -> StrictMath.log1p(x);
      case SIN -> StrictMath.sin(x);
      case COS -> StrictMath.cos(x);
      case TAN -> StrictMath.tan(x);
      case ASIN -> StrictMath.asin(x);
      case ACOS -> StrictMath.acos(x);
      case ATAN -> StrictMath.atan(x);
      case SINH -> StrictMath.sinh(x);
      case COSH -> StrictMath.cosh(x);
      case TANH -> StrictMath.tanh(x);
      case ASINH -> x < 0 ? -asinh(-x) : asinh(x);
      case ACOSH -> x == Double.POSITIVE_INFINITY ? x : acosh(x);
      case ATANH -> 0.5 * (StrictMath.log1p(x) - StrictMath.log1p(-x));
      case ERF -> erf(x);
      case CEIL -> StrictMath.ceil(x);
      case FLOOR -> StrictMath.floor(x);
      case ROUND -> halfEven(x);
      case TRUNC -> x < 0 ? StrictMath.ceil(x) : StrictMath.floor(x);
      case IS_NAN -> Double.isNaN(x) ? 1 : 0;
      case IS_INF -> Double.isInfinite(x) ? 1 : 0;
      case NOT, BIT_NOT, BITS, OF_BITS -> throw new IllegalArgumentException("not of real numbers");
    };
  }

  private static double asinh(double x) {
    if (x < 0.01) {
      return x - x * x * x / 6 + 3 * StrictMath.pow(x, 5) / 40;
    }
    return x > 1e9 ? StrictMath.log(x) + StrictMath.log(2) : StrictMath.log(x + Math.hypot(x, 1));
  }

  private static double acosh(double x) {
    if (x < 1) {
      return Double.NaN;
    }
    return x > 1e9
        ? StrictMath.log(x) + StrictMath.log(2)
        : StrictMath.log(x + StrictMath.sqrt((x - 1) * (x + 1)));
  }

  private static double halfEven(double x) {
    return Double.isFinite(x)
        ? new BigDecimal(x).setScale(0, java.math.RoundingMode.HALF_EVEN).doubleValue()
        : x;
  }

  /// Simpson's rule on the defining integral.
  private static double erf(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    double end = Math.min(Math.abs(x), 7);
    int steps = 20_000;
    double sum = 1 + StrictMath.exp(-end * end);
    for (int i = 1; i < steps; i++) {
      double t = end * i / steps;
      sum += (i % 2 == 0 ? 2 : 4) * StrictMath.exp(-t * t);
    }
    return Math.signum(x) * Math.min(1, 2 / Math.sqrt(Math.PI) * sum * end / steps / 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64", "F16", "BF16"},
      mode = EnumSource.Mode.EXCLUDE)
  void integerFunctionsWrap(ElementType type) {
    long[] edges = edges(type);
    Tensor x = Tensors.wholes(type, Tensors.shape(edges.length), edges);
    TensorType out = TensorType.of(type, x.shape());
    if (type == ElementType.BOOL) {
      assertThat(Tensors.wholes(Tensors.eval(new Unary(UnaryOp.NOT, new Arg(0)), out, x)))
          .containsExactly(1, 0);
      return;
    }
    for (UnaryOp op :
        List.of(UnaryOp.NEG, UnaryOp.ABS, UnaryOp.SIGN, UnaryOp.BIT_NOT, UnaryOp.ROUND)) {
      long[] expected =
          LongStream.of(edges)
              .map(a -> Numbers.wrap(type, whole(op, big(type, a)).longValue()))
              .toArray();
      assertThat(Tensors.wholes(Tensors.eval(new Unary(op, new Arg(0)), out, x)))
          .as(op + " " + type)
          .containsExactly(expected);
    }
  }

  @Test
  void bitsAreThoseOfTheFloat() {
    double[] edges = {0, -0.0, 1, -1.5, 0x1p-149, -0x1p-140, 0x1.8p127, Double.POSITIVE_INFINITY};
    Tensor x = Tensors.reals(ElementType.F32, Tensors.shape(edges.length), edges);
    TensorType whole = TensorType.of(ElementType.I32, x.shape());
    Tensor bits = Tensors.eval(new Unary(UnaryOp.BITS, new Arg(0)), whole, x);
    assertThat(Tensors.wholes(bits))
        .containsExactly(
            Arrays.stream(edges).mapToLong(v -> Float.floatToRawIntBits((float) v)).toArray());
    Tensor back = Tensors.eval(new Unary(UnaryOp.OF_BITS, new Arg(0)), x.type(), bits);
    assertThat(Tensors.reals(back)).containsExactly(edges);
  }

  private static BigInteger whole(UnaryOp op, BigInteger a) {
    return switch (op) {
      case NEG -> a.negate();
      case ABS -> a.abs();
      case SIGN -> BigInteger.valueOf(a.signum());
      case BIT_NOT -> a.not();
      default -> a;
    };
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void castsClampFloatsAndWrapIntegers(ElementType to) {
    for (ElementType from : ElementType.values()) {
      Tensor x =
          from.isFloat()
              ? Tensors.reals(from, Tensors.shape(EDGES.length), EDGES)
              : Tensors.wholes(from, Tensors.shape(edges(from).length), edges(from));
      Tensor got = Tensors.eval(new Cast(to, new Arg(0)), TensorType.of(to, x.shape()), x);
      double[] reals = Tensors.reals(x);
      long[] wholes = from.isFloat() ? new long[reals.length] : Tensors.wholes(x);
      for (int i = 0; i < reals.length; i++) {
        String what = from + " to " + to + " of " + reals[i];
        TensorView view = TensorView.of(got);
        if (to.isFloat()) {
          double exact = from.isFloat() ? reals[i] : big(from, wholes[i]).doubleValue();
          assertThat(view.realAt(i)).as(what).isEqualTo(Double.valueOf(Numbers.narrow(to, exact)));
        } else {
          BigInteger exact = from.isFloat() ? clamped(to, reals[i]) : big(from, wholes[i]);
          long expected =
              to == ElementType.BOOL
                  ? (from.isFloat() ? reals[i] != 0 : wholes[i] != 0) ? 1 : 0
                  : Numbers.wrap(to, exact.longValue());
          assertThat(view.wholeAt(i)).as(what).isEqualTo(expected);
        }
      }
    }
  }

  private static BigInteger clamped(ElementType to, double value) {
    if (Double.isNaN(value)) {
      return BigInteger.ZERO;
    }
    int width = to.bytes() * 8;
    boolean signed = to.kind() == Kind.SIGNED;
    BigInteger high = BigInteger.TWO.pow(signed ? width - 1 : width).subtract(BigInteger.ONE);
    BigInteger low = signed ? high.negate().subtract(BigInteger.ONE) : BigInteger.ZERO;
    if (Double.isInfinite(value)) {
      return value > 0 ? high : low;
    }
    return new BigDecimal(value).toBigInteger().min(high).max(low);
  }

  @ParameterizedTest
  @CsvSource({"0.5,0.5204998778130465", "1,0.8427007929497149", "2,0.9953222650189527"})
  void erfIsExactToDoublePrecision(double x, double expected) {
    assertThat(RealMath.erf(x)).isCloseTo(expected, within(3e-16));
    assertThat(RealMath.erf(-x)).isCloseTo(-expected, within(3e-16));
  }
}
