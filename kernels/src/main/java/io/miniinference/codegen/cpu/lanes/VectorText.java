package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Text of an expression over sixteen lanes at once, of floats mostly. Each function of `f32` has a
/// vector form; a truth value is a lane of −1 or 0, as vector comparisons give it.
///
/// What is costly and needed more than once ([Repeated]) is computed once, into a constant. A float
/// that is cast to a small integer and back, as by QuantizeLinear and DequantizeLinear, stays in
/// its lane.
public final class VectorText {
  /// Lanes of a vector.
  public static final int LANES = 16;

  private static final Template BETTER =
      Template.of(
          "the better of sixteen pairs", "@select($a, $b, ((($a) $worse ($b)) | (($b) != ($b))))");

  private static final Template BETTER_NUMBER =
      Template.of("the better of sixteen and a number", "@select($a, $b, (($a) $worse ($b)))");

  private static final Template WHOLE =
      Template.of(
          "sixteen floats as integers hold them",
          "@select(@splat(16, 0.0f),"
              + " (trunc_float16(fmin(fmax($x, @splat(16, $low)), @splat(16, $high))) + @splat(16, 0.0f)),"
              + " ($x == $x))");

  private static final Template ROUNDED_QUOTIENT =
      Template.of(
          "sixteen quotients, rounded",
          "round_float16(quotient_float16($x, @splat(16, $divisor), @splat(16, $reciprocal)))");

  /* The same of what is whole already. */
  private static final Template WITHIN =
      Template.of(
          "sixteen whole floats as integers hold them",
          "@select(@splat(16, 0.0f),"
              + " (fmin(fmax($x, @splat(16, $low)), @splat(16, $high)) + @splat(16, 0.0f)),"
              + " ($x == $x))");

  private static final Map<Expr.BinaryOp, String> WRAPPING =
      Map.of(Expr.BinaryOp.ADD, "+", Expr.BinaryOp.SUB, "-", Expr.BinaryOp.MUL, "*");

  private static final Template CUT_OFF =
      Template.of(
          "sixteen floats as integers of 32 bits",
          "@select(@mask(0), @saturated(int16, $x), ($x == $x))");

  private final List<String> statements = new ArrayList<>();
  private final IntFunction<String> args;
  private final IntFunction<ElementType> types;
  private final Set<Expr> repeated;
  private final Map<Expr, String> known = new HashMap<>();

  private VectorText(Expr whole, IntFunction<ElementType> types, IntFunction<String> args) {
    this.args = args;
    this.types = types;
    this.repeated = Repeated.in(whole);
  }

  private static ElementType float_(int operand) {
    return ElementType.F32;
  }

  /// Whether an expression has a vector form: floats and truth values of operands at the output
  /// index.
  ///
  /// @param expr an `f32` over `f32` operands
  public static boolean supports(Expr expr) {
    return supports(expr, ElementType.F32, VectorText::float_);
  }

  /// Whether an expression has a vector form.
  ///
  /// @param type of the expression
  /// @param types of its operands
  public static boolean supports(Expr expr, ElementType type, IntFunction<ElementType> types) {
    return new VectorText(expr, types, _ -> "v").lanes(expr, type).isPresent();
  }

  /// The expression as a `float16`.
  ///
  /// @param args text of each operand as a `float16`
  /// @throws java.util.NoSuchElementException unless [#supports] says that there is such a form
  public static Written write(Expr expr, IntFunction<String> args) {
    return write(expr, ElementType.F32, VectorText::float_, args);
  }

  /// The expression in lanes as [LaneArray] has them.
  ///
  /// @param type of the expression
  /// @param types of its operands
  /// @param args text of each operand, in lanes
  /// @throws java.util.NoSuchElementException unless [#supports] says that there is such a form
  public static Written write(
      Expr expr, ElementType type, IntFunction<ElementType> types, IntFunction<String> args) {
    VectorText text = new VectorText(expr, types, args);
    String value = text.lanes(expr, type).orElseThrow();
    return new Written(String.join("\n", text.statements), value);
  }

  /// The text of an epilogue, or `result` where there is none.
  ///
  /// @param result text of the sixteen values that it is applied to
  /// @param added text of what it reads besides, counted from 0
  public static Written epilogue(@Nullable Expr expr, String result, IntFunction<String> added) {
    return expr == null
        ? Written.of(result)
        : write(expr, i -> i == 0 ? result : added.apply(i - 1));
  }

  /// The text of an epilogue over any lanes, or `result` where there is none.
  ///
  /// @param stored type of what it gives
  /// @param types of what it reads, the result's first
  /// @param result text of the sixteen values that it is applied to
  /// @param added text of what it reads besides, counted from 0
  static Written epilogue(
      @Nullable Expr expr,
      ElementType stored,
      List<ElementType> types,
      String result,
      IntFunction<String> added) {
    return expr == null
        ? Written.of(result)
        : write(expr, stored, types::get, i -> i == 0 ? result : added.apply(i - 1));
  }

  /// The text of a node's epilogue, or `result` where it has none.
  ///
  /// @param result text of the sixteen values that it is applied to
  /// @param added text of what it reads besides, counted from 0
  public static Written epilogue(Node node, String result, IntFunction<String> added) {
    ElementType stored = node.output().type().element();
    return epilogue(node.epilogue(), stored, VectorEpilogue.types(node), result, added);
  }

  /// An expression's text.
  ///
  /// @param statements lines that declare what it needs, for a block of its own; maybe none
  public record Written(String statements, String value) {
    /// What is one value already.
    public static Written of(String value) {
      return new Written("", value);
    }

    /// Some other lines, and the statements after them.
    public String after(String lines) {
      boolean isOne = lines.isEmpty() || statements.isEmpty();
      return isOne ? lines + statements : lines + "\n" + statements;
    }
  }

  private Optional<String> lanes(Expr expr, ElementType type) {
    return switch (type) {
      case F32 -> value(expr);
      case I32 -> integer(expr);
      case BOOL -> condition(expr);
      default -> LaneArray.isSmall(type) ? small(expr) : Optional.empty();
    };
  }

  /* A float. */
  private Optional<String> value(Expr expr) {
    String name = known.get(expr);
    if (name != null) {
      return Optional.of(name);
    }
    Optional<String> value = plain(expr);
    return repeated.contains(expr) ? value.map(v -> named(expr, v)) : value;
  }

  private String named(Expr expr, String value) {
    String name = "f" + known.size();
    statements.add("const float16 " + name + " = " + value + ";");
    known.put(expr, name);
    return name;
  }

  private Optional<String> plain(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) ->
          types.apply(k) == ElementType.F32 ? Optional.of(args.apply(k)) : Optional.empty();
      case Expr.Const c ->
          c.type() == ElementType.F32
              ? Optional.of("@splat(16, " + ExprText.constant(c) + ")")
              : Optional.empty();
      case Expr.Unary(var op, Expr.Binary sum)
          when op == Expr.UnaryOp.RECIPROCAL && ofSigmoid(sum).isPresent() ->
          value(ofSigmoid(sum).get()).map(x -> "logistic_float16(" + x + ")");
      case Expr.Unary(var op, Expr.Binary(var div, var x, Expr.Const divisor))
          when op == Expr.UnaryOp.ROUND && div == Expr.BinaryOp.DIV && isOrdinary(divisor) ->
          value(x)
              .map(v ->
                  ROUNDED_QUOTIENT
                      .with("x", v)
                      .with("divisor", ExprText.constant(divisor))
                      .with("reciprocal", reciprocal(divisor))
                      .text());
      case Expr.Unary unary -> value(unary.operand()).flatMap(x -> unary(unary.op(), x));
      case Expr.Binary(var op, var left, Expr.Const exponent) when isProduct(op, exponent) ->
          value(left).map(x -> power(left, x, exponent));
      case Expr.Binary(var op, var left, var right) ->
          value(left).flatMap(a -> value(right).flatMap(b -> binary(op, a, b)));
      case Expr.Select select ->
          condition(select.condition())
              .flatMap(c ->
                  value(select.then())
                      .flatMap(t ->
                          value(select.otherwise())
                              .map(e -> "@select(" + e + ", " + t + ", " + c + ")")));
      case Expr.Cast(var to, var operand) ->
          to == ElementType.F32 ? number(operand) : Optional.empty();
      case Expr.At _, Expr.Index _, Expr.Extent _ -> Optional.empty();
    };
  }

  /* Whether a float and its reciprocal are normal numbers. */
  private static boolean isOrdinary(Expr.Const divisor) {
    double size = Math.abs(divisor.asDouble());
    return divisor.type() == ElementType.F32 && size > 0x1p-100 && size < 0x1p100;
  }

  /* The nearest float. */
  private static String reciprocal(Expr.Const divisor) {
    return ExprText.constant(Expr.Const.of(ElementType.F32, 1 / divisor.asDouble()));
  }

  /* The operand of a sigmoid, by what it is the reciprocal of, 1 + e^−x. */
  private static Optional<Expr> ofSigmoid(Expr.Binary sum) {
    boolean isOneMore =
        sum.op() == Expr.BinaryOp.ADD
            && sum.left() instanceof Expr.Const one
            && one.type() == ElementType.F32
            && one.asDouble() == 1;
    return isOneMore
            && sum.right() instanceof Expr.Unary(var exp, Expr.Unary(var neg, var x))
            && exp == Expr.UnaryOp.EXP
            && neg == Expr.UnaryOp.NEG
        ? Optional.of(x)
        : Optional.empty();
  }

  /* A truth value or an integer as a float. */
  private Optional<String> number(Expr operand) {
    return small(operand)
        .or(() -> integer(operand).map(i -> "@convert(float16, " + i + ")"))
        .or(() ->
            condition(operand).map(c -> "@select(@splat(16, 0.0f), @splat(16, 1.0f), " + c + ")"));
  }

  /* A small integer, in a lane of a float. */
  private Optional<String> small(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) when LaneArray.isSmall(types.apply(k)) -> Optional.of(args.apply(k));
      case Expr.Const c when LaneArray.isSmall(c.type()) ->
          Optional.of("@splat(16, " + c.bits() + ".0f)");
      case Expr.Cast(
              var type,
              Expr.Binary(var min, Expr.Binary(var max, var x, Expr.Const low), Expr.Const high))
          when min == Expr.BinaryOp.MIN && max == Expr.BinaryOp.MAX && areEnds(type, low, high) ->
          wholeOf(type, x);
      case Expr.Cast(var type, var x) when LaneArray.isSmall(type) -> wholeOf(type, x);
      default -> Optional.empty();
    };
  }

  /* An integer of 32 bits. */
  private Optional<String> integer(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) when types.apply(k) == ElementType.I32 -> Optional.of(args.apply(k));
      case Expr.Const c when c.type() == ElementType.I32 ->
          Optional.of("@mask(" + ExprText.constant(c) + ")");
      case Expr.Cast(var type, var x) when type == ElementType.I32 ->
          small(x)
              .map(v -> "@convert(int16, " + v + ")")
              .or(() -> integer(x))
              .or(() -> value(x).map(v -> cutOff(known.containsKey(x) ? v : named(x, v))));
      case Expr.Binary(var op, var left, var right) when WRAPPING.containsKey(op) ->
          integer(left).flatMap(a -> integer(right).map(b -> infix(a, WRAPPING.get(op), b)));
      default -> Optional.empty();
    };
  }

  private static String cutOff(String name) {
    return CUT_OFF.with("x", name).text();
  }

  private static long lowest(ElementType type) {
    return type.kind() == ElementType.Kind.UNSIGNED ? 0 : -(1L << (8 * type.bytes() - 1));
  }

  private static long highest(ElementType type) {
    return lowest(type) + (1L << (8 * type.bytes())) - 1;
  }

  /* Whether a small type's cast clamps to the same ends once more. */
  private static boolean areEnds(ElementType type, Expr.Const low, Expr.Const high) {
    return LaneArray.isSmall(type)
        && low.type() == ElementType.F32
        && low.asDouble() == lowest(type)
        && high.asDouble() == highest(type);
  }

  /* What a float is after a cast to an integer: clamped and cut off, 0 where it is NaN, and no
  negative zero. */
  private Optional<String> wholeOf(ElementType type, Expr x) {
    return value(x)
        .map(v ->
            (isWhole(x) ? WITHIN : WHOLE)
                .with("x", known.containsKey(x) ? v : named(x, v))
                .with("low", lowest(type) + ".0f")
                .with("high", highest(type) + ".0f")
                .text());
  }

  /* Whether a float is an integer, if it is a number and finite. */
  private boolean isWhole(Expr expr) {
    return switch (expr) {
      case Expr.Unary(var op, _) -> op == Expr.UnaryOp.ROUND || op == Expr.UnaryOp.TRUNC;
      case Expr.Binary(var op, var a, var b) ->
          (op == Expr.BinaryOp.ADD || op == Expr.BinaryOp.SUB) && isWhole(a) && isWhole(b);
      case Expr.Const c -> c.type() == ElementType.F32 && c.asDouble() == Math.rint(c.asDouble());
      case Expr.Cast(var type, var x) -> type == ElementType.F32 && isInteger(x);
      default -> false;
    };
  }

  private boolean isInteger(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) -> types.apply(k).isInteger();
      case Expr.Cast(var type, _) -> type.isInteger();
      default -> false;
    };
  }

  /* A square or a cube: PoCL's power takes a hundred times as long. */
  private static boolean isProduct(Expr.BinaryOp op, Expr.Const exponent) {
    return op == Expr.BinaryOp.POW
        && exponent.type() == ElementType.F32
        && (exponent.asDouble() == 2 || exponent.asDouble() == 3);
  }

  private String power(Expr base, String value, Expr.Const exponent) {
    String name = known.containsKey(base) ? value : named(base, value);
    String square = infix(name, "*", name);
    return exponent.asDouble() == 2 ? square : infix(square, "*", name);
  }

  private Optional<String> condition(Expr expr) {
    return switch (expr) {
      case Expr.Binary(var op, var left, var right) when op.isComparison() ->
          value(left).flatMap(a -> value(right).map(b -> infix(a, comparison(op), b)));
      case Expr.Binary(var op, var left, var right) ->
          condition(left).flatMap(a -> condition(right).flatMap(b -> connected(op, a, b)));
      case Expr.Unary(var op, var operand) -> test(op, operand);
      case Expr.Const c ->
          c.type() == ElementType.BOOL
              ? Optional.of("@mask(" + (c.bits() == 0 ? 0 : -1) + ")")
              : Optional.empty();
      case Expr.Arg(int k) ->
          types.apply(k) == ElementType.BOOL ? Optional.of(args.apply(k)) : Optional.empty();
      case Expr.Select _, Expr.Cast _, Expr.At _, Expr.Index _, Expr.Extent _ -> Optional.empty();
    };
  }

  private static String comparison(Expr.BinaryOp op) {
    return switch (op) {
      case EQ -> "==";
      case NE -> "!=";
      case LT -> "<";
      case LE -> "<=";
      case GT -> ">";
      case GE -> ">=";
      case ADD, SUB, MUL, DIV, REM, MOD, POW, MIN, MAX, ATAN2 -> throw notOne(op);
      case AND, OR, XOR, BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> throw notOne(op);
    };
  }

  private static IllegalArgumentException notOne(Expr.BinaryOp op) {
    return new IllegalArgumentException(op + " is no comparison");
  }

  private static Optional<String> connected(Expr.BinaryOp op, String a, String b) {
    return switch (op) {
      case AND -> Optional.of(infix(a, "&", b));
      case OR -> Optional.of(infix(a, "|", b));
      case XOR -> Optional.of(infix(a, "^", b));
      case ADD, SUB, MUL, DIV, REM, MOD, POW, MIN, MAX, ATAN2 -> Optional.empty();
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> Optional.empty();
      case EQ, NE, LT, LE, GT, GE -> Optional.empty();
    };
  }

  private Optional<String> test(Expr.UnaryOp op, Expr operand) {
    return switch (op) {
      case NOT -> condition(operand).map(c -> "(~(" + c + "))");
      case IS_NAN -> value(operand).map(x -> "isnan(" + x + ")");
      case IS_INF -> value(operand).map(x -> "isinf(" + x + ")");
      case NEG, ABS, SIGN, BIT_NOT, SQRT, RECIPROCAL, EXP, EXPM1, LOG, LOG1P -> Optional.empty();
      case SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH -> Optional.empty();
      case ASINH, ACOSH, ATANH, ERF, CEIL, FLOOR, ROUND, TRUNC -> Optional.empty();
      case BITS, OF_BITS -> Optional.empty();
    };
  }

  private static Optional<String> unary(Expr.UnaryOp op, String x) {
    return switch (op) {
      case NEG -> Optional.of("(-(" + x + "))");
      case ABS -> Optional.of("fabs(" + x + ")");
      case RECIPROCAL -> Optional.of("(@splat(16, 1.0f) / (" + x + "))");
      case ROUND, FLOOR, CEIL, TRUNC, SIGN, EXP, SIN, COS, TAN, TANH, ERF ->
          Optional.of(name(op) + "_float16(" + x + ")");
      case SQRT, EXPM1, LOG, LOG1P -> Optional.of(call(op, x));
      case ASIN, ACOS, ATAN, SINH, COSH, ASINH, ACOSH, ATANH -> Optional.of(call(op, x));
      case NOT, BIT_NOT, IS_NAN, IS_INF, BITS, OF_BITS -> Optional.empty();
    };
  }

  private static String name(Expr.UnaryOp op) {
    return op.name().toLowerCase(Locale.ROOT);
  }

  private static String call(Expr.UnaryOp op, String x) {
    return name(op) + "(" + x + ")";
  }

  private static Optional<String> binary(Expr.BinaryOp op, String a, String b) {
    return switch (op) {
      case ADD -> Optional.of(infix(a, "+", b));
      case SUB -> Optional.of(infix(a, "-", b));
      case MUL -> Optional.of(infix(a, "*", b));
      case DIV -> Optional.of(infix(a, "/", b));
      case MAX -> Optional.of(nanAware(a, "<", b));
      case MIN -> Optional.of(nanAware(a, ">", b));
      case REM -> Optional.of("fmod(" + a + ", " + b + ")");
      case MOD -> Optional.of("mod_float16(" + a + ", " + b + ")");
      case POW -> Optional.of("pow(" + a + ", " + b + ")");
      case ATAN2 -> Optional.of("atan2(" + a + ", " + b + ")");
      case AND, OR, XOR, BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> Optional.empty();
      case EQ, NE, LT, LE, GT, GE -> Optional.empty();
    };
  }

  private static String infix(String a, String operator, String b) {
    return "((" + a + ") " + operator + " (" + b + "))";
  }

  /* The first operand stays unless the second beats it or is NaN; a NaN in the first loses no
  comparison, so it stays too. */
  private static String nanAware(String a, String worse, String b) {
    boolean number = b.startsWith("@splat(16, ") && !b.contains("NAN");
    return (number ? BETTER_NUMBER : BETTER).with("a", a).with("b", b).with("worse", worse).text();
  }
}
