package io.miniinference.ir;

import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.At;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.Extent;
import io.miniinference.ir.Expr.Index;
import io.miniinference.ir.Expr.Select;
import io.miniinference.ir.Expr.Unary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Expressions as text, exactly: what a graph's text has between the braces.
///
/// `a0` is operand 0 at the output index, `a0[i1, i0 + 1]` at computed coordinates, `i0` the output
/// index along axis 0, `size(4N)` an extent, `f32(a0)` a cast. A constant with a point is `f32`,
/// one without is `i64`; other types follow a colon, as in `2:i32` and `0.5:f16`; `inf`, `nan`,
/// `true` and `false` are words; `0x…:f32` are raw bits for what has no shorter form.
public final class ExprText {
  private ExprText() {}

  /// Infix operators, by increasing strength; all associate to the left.
  public static final List<Map<String, BinaryOp>> INFIX =
      List.of(
          Map.of("||", BinaryOp.OR),
          Map.of("^^", BinaryOp.XOR),
          Map.of("&&", BinaryOp.AND),
          Map.of("|", BinaryOp.BIT_OR),
          Map.of("^", BinaryOp.BIT_XOR),
          Map.of("&", BinaryOp.BIT_AND),
          Map.of("==", BinaryOp.EQ, "!=", BinaryOp.NE),
          Map.of("<", BinaryOp.LT, "<=", BinaryOp.LE, ">", BinaryOp.GT, ">=", BinaryOp.GE),
          Map.of("<<", BinaryOp.SHIFT_LEFT, ">>", BinaryOp.SHIFT_RIGHT),
          Map.of("+", BinaryOp.ADD, "-", BinaryOp.SUB),
          Map.of("*", BinaryOp.MUL, "/", BinaryOp.DIV));

  public static String print(Expr expr) {
    return print(expr, 0);
  }

  private static String print(Expr expr, int level) {
    return switch (expr) {
      case Arg arg -> "a" + arg.index();
      case At at -> "a" + at.index() + "[" + list(at.coordinates()) + "]";
      case Const constant -> constant(constant);
      case Index index -> "i" + index.axis();
      case Extent extent -> "size(" + extent.value() + ")";
      case Unary unary -> lower(unary.op()) + "(" + print(unary.operand()) + ")";
      case Cast cast -> cast.to() + "(" + print(cast.operand()) + ")";
      case Select select -> "select(" + list(ExprTree.children(select)) + ")";
      case Binary binary -> binary(binary, level);
    };
  }

  private static String binary(Binary binary, int level) {
    for (int own = 0; own < INFIX.size(); own++) {
      for (Map.Entry<String, BinaryOp> entry : INFIX.get(own).entrySet()) {
        if (entry.getValue() == binary.op()) {
          String left = print(binary.left(), own);
          String text = left + " " + entry.getKey() + " " + print(binary.right(), own + 1);
          return own < level ? "(" + text + ")" : text;
        }
      }
    }
    return lower(binary.op()) + "(" + list(ExprTree.children(binary)) + ")";
  }

  private static String list(List<Expr> exprs) {
    return exprs.stream().map(ExprText::print).collect(Collectors.joining(", "));
  }

  public static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  static String constant(Const constant) {
    String text = literal(constant.type(), constant.bits());
    boolean plain =
        switch (constant.type()) {
          case BOOL, F32 -> !text.startsWith("0x");
          case I64 -> true;
          default -> false;
        };
    return plain ? text : text + ":" + constant.type();
  }

  /// The shortest text that [#bits] reads back.
  public static String literal(ElementType type, long bits) {
    return switch (type.kind()) {
      case SIGNED, UNSIGNED -> Long.toString(bits);
      case BOOL -> bits == 0 ? "false" : bits == 1 ? "true" : hex(bits);
      case FLOAT -> floating(type, bits);
    };
  }

  private static String floating(ElementType type, long bits) {
    double value = Double.longBitsToDouble(bits);
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    String text =
        Double.isNaN(value)
            ? "nan"
            : type == ElementType.F64 ? Double.toString(value) : Float.toString((float) value);
    return bits(type, text) == bits ? text : hex(bits);
  }

  private static String hex(long bits) {
    return "0x" + Long.toHexString(bits);
  }

  /// The [Expr.Const] bits of a literal.
  ///
  /// @throws NumberFormatException if it is none of that type
  public static long bits(ElementType type, String text) {
    if (text.startsWith("0x")) {
      return Long.parseUnsignedLong(text.substring(2), 16);
    }
    return switch (type.kind()) {
      case SIGNED, UNSIGNED -> Long.parseLong(text);
      case BOOL -> truth(text);
      case FLOAT -> Double.doubleToRawLongBits(number(type, text));
    };
  }

  private static long truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new NumberFormatException("'" + text + "' is neither true nor false");
    }
    return text.equals("true") ? 1 : 0;
  }

  private static double number(ElementType type, String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default ->
          type == ElementType.F64 ? Double.parseDouble(text) : (double) Float.parseFloat(text);
    };
  }

  public static <E extends Enum<E>> Optional<E> byName(E[] values, String text) {
    return Arrays.stream(values).filter(v -> lower(v).equals(text)).findFirst();
  }
}
