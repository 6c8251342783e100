package io.miniinference.ir;

import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.At;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.Extent;
import io.miniinference.ir.Expr.Index;
import io.miniinference.ir.Expr.Select;
import io.miniinference.ir.Expr.Unary;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Walking and rewriting of expressions as trees.
public final class ExprTree {
  private ExprTree() {}

  public static List<Expr> children(Expr expr) {
    return switch (expr) {
      case Arg _, Const _, Index _, Extent _ -> List.of();
      case At at -> at.coordinates();
      case Unary unary -> List.of(unary.operand());
      case Cast cast -> List.of(cast.operand());
      case Binary binary -> List.of(binary.left(), binary.right());
      case Select select -> List.of(select.condition(), select.then(), select.otherwise());
    };
  }

  /// The same node over `f(child)` for each child.
  public static Expr mapChildren(Expr expr, UnaryOperator<Expr> f) {
    return switch (expr) {
      case Arg _, Const _, Index _, Extent _ -> expr;
      case At at -> new At(at.index(), at.coordinates().stream().map(f).toList());
      case Unary unary -> new Unary(unary.op(), f.apply(unary.operand()));
      case Cast cast -> new Cast(cast.to(), f.apply(cast.operand()));
      case Binary binary ->
          new Binary(binary.op(), f.apply(binary.left()), f.apply(binary.right()));
      case Select select ->
          new Select(
              f.apply(select.condition()), f.apply(select.then()), f.apply(select.otherwise()));
    };
  }

  /// Puts `replacements.get(k)` in place of operand `k`; operands that are not keys stay.
  ///
  /// @throws IllegalArgumentException if an operand that is read at computed coordinates is
  ///   replaced by anything but another operand
  public static Expr substitute(Expr expr, Map<Integer, Expr> replacements) {
    return switch (expr) {
      case Arg arg -> replacements.getOrDefault(arg.index(), arg);
      case At at -> {
        Expr target = replacements.getOrDefault(at.index(), new Arg(at.index()));
        if (!(target instanceof Arg moved)) {
          throw new IllegalArgumentException(
              ExprText.print(at)
                  + " reads an operand at computed coordinates: it stays an operand");
        }
        yield new At(
            moved.index(),
            at.coordinates().stream().map(c -> substitute(c, replacements)).toList());
      }
      case Const _, Index _, Extent _, Unary _, Cast _, Binary _, Select _ ->
          mapChildren(expr, child -> substitute(child, replacements));
    };
  }

  /// Gives operand `k` the number `numbers(k)`.
  public static Expr renumber(Expr expr, IntUnaryOperator numbers) {
    return switch (expr) {
      case Arg arg -> new Arg(numbers.applyAsInt(arg.index()));
      case At at ->
          new At(
              numbers.applyAsInt(at.index()),
              at.coordinates().stream().map(c -> renumber(c, numbers)).toList());
      case Const _, Index _, Extent _, Unary _, Cast _, Binary _, Select _ ->
          mapChildren(expr, child -> renumber(child, numbers));
    };
  }

  /// Calls `visitor` for each node, parents first.
  public static void visit(Expr expr, Consumer<Expr> visitor) {
    visitor.accept(expr);
    children(expr).forEach(child -> visit(child, visitor));
  }

  /// Whether some node is as wanted.
  public static boolean any(Expr expr, Predicate<Expr> wanted) {
    return wanted.test(expr) || children(expr).stream().anyMatch(child -> any(child, wanted));
  }

  /// The operands that are read, at the output index or at computed coordinates.
  public static SortedSet<Integer> usedArgs(Expr expr) {
    SortedSet<Integer> used = new TreeSet<>(directArgs(expr));
    used.addAll(computedArgs(expr));
    return used;
  }

  /// The operands that are read at the output index.
  public static SortedSet<Integer> directArgs(Expr expr) {
    SortedSet<Integer> used = new TreeSet<>();
    visit(
        expr,
        e -> {
          if (e instanceof Arg arg) {
            used.add(arg.index());
          }
        });
    return used;
  }

  /// The operands that are read at computed coordinates.
  public static SortedSet<Integer> computedArgs(Expr expr) {
    SortedSet<Integer> used = new TreeSet<>();
    visit(
        expr,
        e -> {
          if (e instanceof At at) {
            used.add(at.index());
          }
        });
    return used;
  }

  /// How often [Expr.Arg] `index` is read.
  public static int uses(Expr expr, int index) {
    int[] count = {0};
    visit(
        expr,
        e -> {
          if (e instanceof Arg arg && arg.index() == index) {
            count[0]++;
          }
        });
    return count[0];
  }

  /// Whether the result at an index depends on the index itself, besides through [Expr.Arg].
  public static boolean isPositional(Expr expr) {
    return any(expr, e -> e instanceof Index || e instanceof At);
  }

  /// Number of nodes.
  public static int size(Expr expr) {
    int[] count = {0};
    visit(expr, _ -> count[0]++);
    return count[0];
  }
}
