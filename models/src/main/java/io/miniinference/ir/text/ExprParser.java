package io.miniinference.ir.text;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.ExprText;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what [ExprText] writes.
public final class ExprParser {
  private final TextCursor in;

  ExprParser(TextCursor in) {
    this.in = in;
  }

  /// An expression from its text.
  ///
  /// @throws GraphTextException with line and column if the text is no expression
  public static Expr parse(String text) {
    TextCursor in = new TextCursor(text);
    Expr expr = new ExprParser(in).parse();
    if (!in.atEnd()) {
      throw in.error("expected nothing after the expression");
    }
    return expr;
  }

  Expr parse() {
    return infix(0);
  }

  private Expr infix(int level) {
    if (level == ExprText.INFIX.size()) {
      return operand();
    }
    Expr left = infix(level + 1);
    while (true) {
      Optional<BinaryOp> op = operator(level);
      if (op.isEmpty()) {
        return left;
      }
      left = new Expr.Binary(op.get(), left, infix(level + 1));
    }
  }

  /* The longest infix token decides: '<' is not the start of '<<'. */
  private Optional<BinaryOp> operator(int level) {
    Optional<String> next =
        ExprText.INFIX.stream()
            .flatMap(m -> m.keySet().stream())
            .filter(in::lookingAt)
            .max(Comparator.comparingInt(String::length));
    Optional<BinaryOp> op = next.map(token -> ExprText.INFIX.get(level).get(token));
    op.ifPresent(_ -> in.expect(next.orElseThrow()));
    return op;
  }

  private Expr operand() {
    if (in.accept("(")) {
      Expr inner = parse();
      in.expect(")");
      return inner;
    }
    int start = in.position();
    boolean negative = in.accept("-");
    String word = in.word("an expression");
    if (negative || Character.isDigit(word.charAt(0)) || isWordLiteral(word)) {
      return literal(start, (negative ? "-" : "") + word);
    }
    if (word.equals("size")) {
      return size();
    }
    return in.accept("(") ? call(start, word) : leaf(start, word);
  }

  private static boolean isWordLiteral(String word) {
    return List.of("inf", "nan", "true", "false").contains(word);
  }

  private Expr literal(int start, String word) {
    String text = word;
    if (!word.startsWith("0x")) {
      if (in.accept(".")) {
        text += "." + in.word("digits");
      }
      if (text.endsWith("E") && in.accept("-")) {
        text += "-" + in.word("digits");
      }
    }
    ElementType type = in.accept(":") ? type(in.word("a type")) : plainType(text);
    String literal = text;
    return in.attempt(start, () -> new Const(type, ExprText.bits(type, literal)));
  }

  private static ElementType plainType(String text) {
    return switch (text) {
      case "true", "false" -> ElementType.BOOL;
      case "inf", "-inf", "nan" -> ElementType.F32;
      default -> text.contains(".") ? ElementType.F32 : ElementType.I64;
    };
  }

  private ElementType type(String word) {
    return ElementType.parse(word).orElseThrow(() -> in.error("'" + word + "' is no type"));
  }

  private Expr size() {
    in.expect("(");
    int start = in.position();
    String text = in.run(c -> c == '+' || c == '-' || Character.isLetterOrDigit(c), "a size");
    in.expect(")");
    return in.attempt(start, () -> new Expr.Extent(Affine.parse(text)));
  }

  private Expr leaf(int start, String word) {
    String digits = word.substring(1);
    if (word.startsWith("i")) {
      return in.attempt(start, () -> new Expr.Index(Integer.parseInt(digits)));
    }
    if (!word.startsWith("a")) {
      throw in.errorAt(start, "'" + word + "' is no operand");
    }
    int index = in.attempt(start, () -> Integer.parseInt(digits));
    return in.accept("[") ? new Expr.At(index, list("]")) : new Expr.Arg(index);
  }

  private Expr call(int start, String name) {
    List<Expr> args = list(")");
    Optional<Expr> result =
        switch (args.size()) {
          case 1 -> one(name, args.getFirst());
          case 2 ->
              ExprText.byName(BinaryOp.values(), name)
                  .filter(op -> isCall(op))
                  .map(op -> new Expr.Binary(op, args.get(0), args.get(1)));
          case 3 ->
              name.equals("select")
                  ? Optional.of(new Expr.Select(args.get(0), args.get(1), args.get(2)))
                  : Optional.empty();
          default -> Optional.empty();
        };
    return result.orElseThrow(
        () -> in.errorAt(start, "'" + name + "' is no function of " + args.size() + " operands"));
  }

  private static boolean isCall(BinaryOp op) {
    return ExprText.INFIX.stream().map(Map::values).noneMatch(ops -> ops.contains(op));
  }

  private static Optional<Expr> one(String name, Expr operand) {
    Optional<Expr> cast = ElementType.parse(name).map(type -> new Expr.Cast(type, operand));
    return cast.or(
        () -> ExprText.byName(UnaryOp.values(), name).map(op -> new Expr.Unary(op, operand)));
  }

  private List<Expr> list(String end) {
    List<Expr> result = new ArrayList<>();
    if (in.accept(end)) {
      return result;
    }
    do {
      result.add(parse());
    } while (in.accept(","));
    in.expect(end);
    return result;
  }
}
