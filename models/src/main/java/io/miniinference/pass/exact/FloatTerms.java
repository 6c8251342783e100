package io.miniinference.pass.exact;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Interval;
import io.miniinference.ir.analysis.Intervals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Integers as sums of floats, each of which is exact: what sums of products of integers are
/// computed as, and what is made of them.
public final class FloatTerms {
  private final Intervals intervals;
  private final Map<Value, List<Value>> known = new HashMap<>();
  private final Map<Value, Interval> sizes = new HashMap<>();

  public FloatTerms(Intervals intervals) {
    this.intervals = intervals;
  }

  /// A float that holds integers of an interval.
  public record Term(Expr value, Interval interval) {
    private boolean fits(Term other) {
      return interval.plus(other.interval).size() <= ExactSums.MOST;
    }

    private Term plus(Term other) {
      return new Term(add(value, other.value), interval.plus(other.interval));
    }

    private Term minus(Term other) {
      return new Term(sub(value, other.value), interval.minus(other.interval));
    }
  }

  /// Notes an `f32` value as a term of an integer one.
  public void note(Value integer, Value term, Interval interval) {
    known.computeIfAbsent(integer, _ -> new ArrayList<>()).add(term);
    sizes.put(term, interval);
  }

  public boolean has(Value integer) {
    return known.containsKey(integer);
  }

  public List<Value> of(Value integer) {
    return known.getOrDefault(integer, List.of());
  }

  public Interval interval(Value term) {
    return Objects.requireNonNull(sizes.get(term));
  }

  /// An integer expression as one float, rounded once at most; empty if that is not seen to be.
  ///
  /// @param inputs of the expression; terms that it reads instead are added
  public Optional<Expr> rounded(Expr expr, List<Value> inputs) {
    return terms(expr, inputs)
        .filter(terms -> terms.size() <= 2)
        .map(terms -> terms.stream().map(Term::value).reduce((a, b) -> add(a, b)).orElseThrow());
  }

  /// An integer expression as a sum of as few terms as are seen to be exact.
  ///
  /// @param inputs of the expression; terms that it reads instead are added
  public Optional<List<Term>> terms(Expr expr, List<Value> inputs) {
    return summands(expr, inputs).map(FloatTerms::joined);
  }

  private static List<Term> joined(List<Term> summands) {
    List<Term> joined = new ArrayList<>();
    for (Term term : summands) {
      int place = 0;
      while (place < joined.size() && !joined.get(place).fits(term)) {
        place++;
      }
      if (place == joined.size()) {
        joined.add(term);
      } else {
        joined.set(place, joined.get(place).plus(term));
      }
    }
    return joined;
  }

  private Optional<List<Term>> summands(Expr expr, List<Value> inputs) {
    return parts(expr, inputs).or(() -> whole(expr, inputs).map(List::of));
  }

  /* Of what the expression is made of, if each is exact and the sum is no other in its type. */
  private Optional<List<Term>> parts(Expr expr, List<Value> inputs) {
    return switch (expr) {
      case Expr.Arg(int k) when has(inputs.get(k)) ->
          Optional.of(of(inputs.get(k)).stream().map(term -> read(term, inputs)).toList());
      case Expr.Binary(var op, Expr left, Expr right) when op == Expr.BinaryOp.ADD ->
          summands(left, inputs)
              .flatMap(a -> summands(right, inputs).map(b -> together(a, b)))
              .filter(terms -> holds(ElementType.I32, terms));
      case Expr.Binary(var op, Expr left, Expr right) when op == Expr.BinaryOp.SUB ->
          exact(left, inputs)
              .flatMap(a -> exact(right, inputs).map(a::minus))
              .filter(difference -> difference.interval().size() <= ExactSums.MOST)
              .map(List::of);
      case Expr.Cast(ElementType to, Expr inner) when to.isInteger() ->
          summands(inner, inputs).filter(terms -> holds(to, terms));
      case Expr.Const constant -> number(constant).map(List::of);
      case Expr.Arg _, Expr.At _, Expr.Index _, Expr.Extent _, Expr.Unary _ -> Optional.empty();
      case Expr.Binary _, Expr.Cast _, Expr.Select _ -> Optional.empty();
    };
  }

  private static Optional<Term> number(Expr.Const constant) {
    Interval itself = Interval.of(constant.bits());
    return constant.type().isInteger() && itself.size() <= ExactSums.MOST
        ? Optional.of(new Term(const_(ElementType.F32, (double) constant.bits()), itself))
        : Optional.empty();
  }

  /* As the integer that it is, if floats hold all that it can be. */
  private Optional<Term> whole(Expr expr, List<Value> inputs) {
    return intervals
        .of(expr, inputs)
        .filter(interval -> interval.size() <= ExactSums.MOST)
        .map(interval -> new Term(cast(ElementType.F32, expr), interval));
  }

  private Term read(Value term, List<Value> inputs) {
    inputs.add(term);
    return new Term(arg(inputs.size() - 1), interval(term));
  }

  private static List<Term> together(List<Term> a, List<Term> b) {
    List<Term> all = new ArrayList<>(a);
    all.addAll(b);
    return all;
  }

  /* Whether a type of integers holds what the sum of terms can be. */
  private static boolean holds(ElementType type, List<Term> terms) {
    Interval sum = terms.stream().map(Term::interval).reduce(Interval::plus).orElseThrow();
    return Interval.of(type).map(whole -> whole.contains(sum)).orElse(false);
  }

  private Optional<Term> exact(Expr expr, List<Value> inputs) {
    return terms(expr, inputs).filter(terms -> terms.size() == 1).map(List::getFirst);
  }
}
