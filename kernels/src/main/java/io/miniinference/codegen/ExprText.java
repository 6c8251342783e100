package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.type.ExprType;
import java.util.List;

/// OpenCL C text of a scalar expression.
public final class ExprText {

  /// Where the leaves of an expression come from.
  public interface Leaves {
    /// Text of operand `index` at the output index.
    String arg(int index);

    /// Text of operand `index` at computed coordinates.
    String at(int index, List<Coordinate> coordinates);

    /// The output index along `axis`.
    Coordinate index(int axis);
  }

  /// One operand whose text is known, read only where it is.
  public record Operand(String read) implements ExprText.Leaves {
    @Override
    public String arg(int index) {
      return read;
    }

    @Override
    public String at(int index, List<Coordinate> coordinates) {
      throw new IllegalStateException(
          "an expression over one operand reads its operand only where it is");
    }

    @Override
    public Coordinate index(int axis) {
      throw new IllegalStateException("an expression over one operand knows no index");
    }
  }

  private final Leaves leaves;
  private final List<ElementType> operands;

  /// @param operands element types of the operands
  public ExprText(Leaves leaves, List<ElementType> operands) {
    this.leaves = leaves;
    this.operands = operands;
  }

  /// The expression, parenthesised, of its type's computed C type.
  public String of(Expr expr) {
    return switch (expr) {
      case Expr.Arg arg -> leaves.arg(arg.index());
      case Expr.At at ->
          leaves.at(at.index(), at.coordinates().stream().map(this::coordinate).toList());
      case Expr.Const c -> constant(c);
      case Expr.Index index -> "(long)(" + leaves.index(index.axis()).whole() + ")";
      case Expr.Extent extent -> "(long)" + IndexText.affine(extent.value());
      case Expr.Unary unary -> unary(unary);
      case Expr.Binary binary -> binary(binary);
      case Expr.Select s ->
          "((" + of(s.condition()) + ") ? (" + of(s.then()) + ") : (" + of(s.otherwise()) + "))";
      case Expr.Cast cast -> cast(cast);
    };
  }

  /* The output's own coordinate stays in block and lane, so that an element that lies in them, too, is
  found without a division. */
  private Coordinate coordinate(Expr expr) {
    return expr instanceof Expr.Index(int axis)
        ? leaves.index(axis)
        : Coordinate.of("(" + of(expr) + ")");
  }

  private ElementType type(Expr expr) {
    return ExprType.of(expr, operands);
  }

  /// Text of a constant in the computed C type of its type.
  public static String constant(Expr.Const c) {
    return switch (c.type()) {
      case F32, F16, BF16 -> floating((float) c.asDouble());
      case F64 -> doubled(c.asDouble());
      case BOOL -> c.bits() == 0 ? "0" : "1";
      case I64 -> c.bits() == Long.MIN_VALUE ? "(-9223372036854775807L - 1)" : c.bits() + "L";
      case U64 -> Long.toUnsignedString(c.bits()) + "UL";
      case U32 -> (c.bits() & 0xffffffffL) + "u";
      case I32 -> c.bits() == Integer.MIN_VALUE ? "(-2147483647 - 1)" : Long.toString(c.bits());
      case I8, I16, U8, U16 -> "(" + CType.of(c.type()).computed() + ")(" + c.bits() + ")";
    };
  }

  private static String floating(float value) {
    if (Float.isNaN(value)) {
      return "NAN";
    }
    if (Float.isInfinite(value)) {
      return value > 0 ? "INFINITY" : "(-INFINITY)";
    }
    return value < 0 || 1 / value < 0 ? "(" + value + "f)" : value + "f";
  }

  private static String doubled(double value) {
    if (Double.isNaN(value)) {
      return "(double)NAN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "(double)INFINITY" : "(-(double)INFINITY)";
    }
    return "(" + value + ")";
  }

  private String unary(Expr.Unary unary) {
    String x = of(unary.operand());
    ElementType type = type(unary.operand());
    String c = CType.of(type).computed();
    return switch (unary.op()) {
      case NEG -> narrowed(type, "-(" + x + ")");
      case ABS -> abs(type, x);
      case SIGN -> sign(type, x);
      case NOT -> "(!(" + x + "))";
      case BIT_NOT -> narrowed(type, "~(" + x + ")");
      case RECIPROCAL -> "((" + c + ")1 / (" + x + "))";
      case ROUND -> type.isFloat() ? "rint(" + x + ")" : x;
      case CEIL, FLOOR, TRUNC -> type.isFloat() ? function(unary.op()) + "(" + x + ")" : x;
      case IS_NAN -> type.isFloat() ? "(isnan(" + x + ") != 0)" : "0";
      case IS_INF -> type.isFloat() ? "(isinf(" + x + ") != 0)" : "0";
      case BITS -> type == ElementType.F64 ? "@longOf(" + x + ")" : "(int)@bitsOf(" + x + ")";
      case OF_BITS ->
          type == ElementType.I64 ? "@doubleOf(" + x + ")" : "@floatOf((uint)(" + x + "))";
      case SQRT,
          EXP,
          EXPM1,
          LOG,
          LOG1P,
          SIN,
          COS,
          TAN,
          ASIN,
          ACOS,
          ATAN,
          SINH,
          COSH,
          TANH,
          ASINH,
          ACOSH,
          ATANH,
          ERF ->
          function(unary.op()) + "(" + x + ")";
    };
  }

  private static String function(Expr.UnaryOp op) {
    return op.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static String abs(ElementType type, String x) {
    return switch (type.kind()) {
      case FLOAT -> "fabs(" + x + ")";
      case SIGNED -> "(" + CType.of(type).computed() + ")abs(" + x + ")";
      case UNSIGNED, BOOL -> x;
    };
  }

  private static String sign(ElementType type, String x) {
    String c = CType.of(type).computed();
    return type.isFloat()
        ? "sign_" + c + "(" + x + ")"
        : "(" + c + ")(((" + x + ") > 0) - ((" + x + ") < 0))";
  }

  /* C computes narrow integers as int: back to the width, so that they wrap. */
  private static String narrowed(ElementType type, String text) {
    return type.isInteger()
        ? "(" + CType.of(type).computed() + ")(" + text + ")"
        : "(" + text + ")";
  }

  private String binary(Expr.Binary binary) {
    String a = of(binary.left());
    String b = of(binary.right());
    ElementType type = type(binary.left());
    String c = CType.of(type).computed();
    return switch (binary.op()) {
      case ADD -> narrowed(type, infix(a, "+", b));
      case SUB -> narrowed(type, infix(a, "-", b));
      case MUL -> narrowed(type, infix(a, "*", b));
      case DIV -> type.isFloat() ? "(" + infix(a, "/", b) + ")" : call("div_" + c, a, b);
      case REM -> type.isFloat() ? call("fmod", a, b) : call("rem_" + c, a, b);
      case MOD -> call("mod_" + c, a, b);
      case POW -> type.isFloat() ? call("pow", a, b) : call("pow_" + c, a, b);
      case MIN -> type.isFloat() ? call("min_" + c, a, b) : call("min", typed(c, a), typed(c, b));
      case MAX -> type.isFloat() ? call("max_" + c, a, b) : call("max", typed(c, a), typed(c, b));
      case ATAN2 -> call("atan2", a, b);
      case AND -> "(" + infix(a, "&&", b) + ")";
      case OR -> "(" + infix(a, "||", b) + ")";
      case XOR -> "(((" + a + ") != 0) != ((" + b + ") != 0))";
      case BIT_AND -> narrowed(type, infix(a, "&", b));
      case BIT_OR -> narrowed(type, infix(a, "|", b));
      case BIT_XOR -> narrowed(type, infix(a, "^", b));
      case SHIFT_LEFT -> shift(type, a, "<<", b);
      case SHIFT_RIGHT -> shift(type, a, ">>", b);
      case EQ -> "(" + infix(a, "==", b) + ")";
      case NE -> "(" + infix(a, "!=", b) + ")";
      case LT -> "(" + infix(a, "<", b) + ")";
      case LE -> "(" + infix(a, "<=", b) + ")";
      case GT -> "(" + infix(a, ">", b) + ")";
      case GE -> "(" + infix(a, ">=", b) + ")";
    };
  }

  private static String infix(String a, String operator, String b) {
    return "(" + a + ") " + operator + " (" + b + ")";
  }

  private static String typed(String c, String x) {
    return "(" + c + ")(" + x + ")";
  }

  private static String call(String function, String a, String b) {
    return function + "(" + a + ", " + b + ")";
  }

  private static String shift(ElementType type, String a, String operator, String b) {
    int bits = type.bytes() * 8;
    String c = CType.of(type).computed();
    return "((ulong)("
        + b
        + ") >= "
        + bits
        + " ? ("
        + c
        + ")0 : ("
        + c
        + ")(("
        + a
        + ") "
        + operator
        + " ("
        + b
        + ")))";
  }

  private String cast(Expr.Cast cast) {
    ElementType from = type(cast.operand());
    ElementType to = cast.to();
    String x = of(cast.operand());
    String c = CType.of(to).computed();
    return switch (to.kind()) {
      case BOOL -> "((" + x + ") != 0)";
      case FLOAT -> rounded(to, from, "((" + c + ")(" + x + "))");
      case SIGNED, UNSIGNED ->
          from.isFloat()
              ? c + "_of_" + CType.of(from).computed() + "(" + x + ")"
              : "((" + c + ")(" + x + "))";
    };
  }

  /* A cast to a half type rounds now, since the value stays in a float. */
  private static String rounded(ElementType to, ElementType from, String text) {
    if (to == from) {
      return text;
    }
    return switch (to) {
      case F16 -> "float_to_half_float(" + text + ")";
      case BF16 -> "bf16_to_float(float_to_bf16(" + text + "))";
      default -> text;
    };
  }
}
