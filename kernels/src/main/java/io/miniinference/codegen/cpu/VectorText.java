package io.miniinference.codegen.cpu;

import io.miniinference.codegen.ExprText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import java.util.Optional;
import java.util.function.IntFunction;

/// Text of an `f32` expression over sixteen lanes at once.
final class VectorText {
  /// Lanes of a vector.
  static final int LANES = 16;

  private final IntFunction<String> args;

  /// @param args text of each operand as a `float16`
  VectorText(IntFunction<String> args) {
    this.args = args;
  }

  /// Whether an expression has a vector form: `f32` arithmetic on operands at the output index.
  static boolean supports(Expr expr) {
    return new VectorText(_ -> "v").of(expr).isPresent();
  }

  /// The expression as a `float16`, if it has a vector form.
  Optional<String> of(Expr expr) {
    return switch (expr) {
      case Expr.Arg arg -> Optional.of(args.apply(arg.index()));
      case Expr.Const c ->
          c.type() == ElementType.F32
              ? Optional.of("(float16)(" + ExprText.constant(c) + ")")
              : Optional.empty();
      case Expr.Unary unary -> of(unary.operand()).flatMap(x -> unary(unary.op(), x));
      case Expr.Binary binary ->
          of(binary.left())
              .flatMap(a -> of(binary.right()).flatMap(b -> binary(binary.op(), a, b)));
      case Expr.Select select ->
          condition(select.condition())
              .flatMap(c ->
                  of(select.then())
                      .flatMap(t ->
                          of(select.otherwise())
                              .map(e -> "select(" + e + ", " + t + ", " + c + ")")));
      case Expr.At _, Expr.Index _, Expr.Extent _, Expr.Cast _ -> Optional.empty();
    };
  }

  private Optional<String> condition(Expr expr) {
    if (!(expr instanceof Expr.Binary(var op, var left, var right)) || !op.isComparison()) {
      return Optional.empty();
    }
    return of(left)
        .flatMap(a -> of(right).map(b -> "((" + a + ") " + symbol(op) + " (" + b + "))"));
  }

  private static String symbol(Expr.BinaryOp op) {
    return switch (op) {
      case EQ -> "==";
      case NE -> "!=";
      case LT -> "<";
      case LE -> "<=";
      case GT -> ">";
      default -> ">=";
    };
  }

  private static Optional<String> unary(Expr.UnaryOp op, String x) {
    return switch (op) {
      case NEG -> Optional.of("(-(" + x + "))");
      case ABS -> Optional.of("fabs(" + x + ")");
      case RECIPROCAL -> Optional.of("((float16)(1.0f) / (" + x + "))");
      case SQRT, EXP, LOG, TANH, ERF, FLOOR, CEIL ->
          Optional.of(op.name().toLowerCase(java.util.Locale.ROOT) + "(" + x + ")");
      default -> Optional.empty();
    };
  }

  private static Optional<String> binary(Expr.BinaryOp op, String a, String b) {
    return switch (op) {
      case ADD -> Optional.of("((" + a + ") + (" + b + "))");
      case SUB -> Optional.of("((" + a + ") - (" + b + "))");
      case MUL -> Optional.of("((" + a + ") * (" + b + "))");
      case DIV -> Optional.of("((" + a + ") / (" + b + "))");
      case MAX -> Optional.of(nanAware(a, "<", b));
      case MIN -> Optional.of(nanAware(a, ">", b));
      default -> Optional.empty();
    };
  }

  /* The first operand stays unless the second beats it or is NaN; a NaN in the first loses no
  comparison, so it stays too. */
  private static String nanAware(String a, String worse, String b) {
    boolean number = b.startsWith("(float16)(") && !b.contains("NAN");
    String second = number ? "" : " || ((" + b + ") != (" + b + "))";
    String condition = "((" + a + ") " + worse + " (" + b + "))";
    return "select("
        + a
        + ", "
        + b
        + ", "
        + (second.isEmpty() ? condition : "(" + condition + second.replace("||", "|") + ")")
        + ")";
  }
}
