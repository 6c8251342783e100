package io.miniinference.ops.draft;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The counts of a graph's [CountedAxis]es. What follows from the same counts in the same way is
/// one value, so that what is cut or joined alike is known to be of one length.
public final class Counts {
  private final @Nullable Counts outer;
  private final Map<Object, Value> derived = new HashMap<>();
  private final Map<Value, Linear> linear = new HashMap<>();

  /// @param outer those of the graph around a body, which the body sees
  Counts(@Nullable Counts outer) {
    this.outer = outer;
  }

  /// So many times another count, which is not linear in one itself, and so many more.
  public record Linear(Value base, long factor, long offset) {

    /// So many times that.
    public Linear times(long many) {
      return new Linear(base, factor * many, offset * many);
    }
  }

  /// What lies between two places of an axis.
  private record Part(Value count, long start, long end) {}

  /// What is known under a key, or what is made for it now.
  ///
  /// @param key a record that says how it follows, from which values
  public Value once(Object key, Supplier<Value> made) {
    Optional<Value> known = known(key);
    if (known.isPresent()) {
      return known.get();
    }
    Value value = made.get();
    derived.put(key, value);
    return value;
  }

  private Optional<Value> known(Object key) {
    Value own = derived.get(key);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.known(key);
  }

  /// Forgets what was made by a node that turned out faulty.
  void forget(Collection<Value> values) {
    derived.values().removeAll(values);
    linear.keySet().removeAll(values);
  }

  /// A count as what it is of another, or of itself.
  public Linear linear(Value count) {
    Linear own = linear.get(count);
    if (own != null) {
      return own;
    }
    return outer == null ? new Linear(count, 1, 0) : outer.linear(count);
  }

  /// So many times a count, and so many more.
  public Value of(Emitter c, Linear of) {
    if (of.factor == 1 && of.offset == 0) {
      return of.base;
    }
    return once(
        of,
        () -> {
          Expr times = Exprs.mul(Ex.x(), Exprs.const_(of.factor));
          Value count = c.map(Exprs.add(times, Exprs.const_(of.offset)), of.base);
          linear.put(count, of);
          return count;
        });
  }

  /// How many places there are from `start` on and ahead of `end`, which is counted from the start,
  /// or from the end where it is negative.
  public Value between(Emitter c, Value count, long start, long end) {
    return once(
        new Part(count, start, end),
        () -> {
          Expr last =
              end < 0 ? Exprs.add(Ex.x(), Exprs.const_(end)) : Exprs.min(Ex.x(), Exprs.const_(end));
          Expr number = start == 0 ? last : Exprs.sub(last, Exprs.const_(start));
          boolean isNegative = start > 0 || end < 0;
          return c.map(isNegative ? Exprs.max(number, Exprs.const_(0)) : number, count);
        });
  }

  /// How many rows a value asks for of those that there are at most.
  ///
  /// @param asked `I64` of one element
  public Value atMost(Emitter c, Value asked, Affine most) {
    return once(
        List.of(asked, most),
        () -> {
          Expr within = Exprs.max(Exprs.min(Ex.x(), Ex.size(most)), Exprs.const_(0));
          return c.map(within, c.reshape(asked));
        });
  }

  /// The smaller of two counts.
  public Value lesser(Emitter c, Value one, Value other) {
    return one.equals(other)
        ? one
        : once(List.of(one, other), () -> c.map(Exprs.min(Ex.x(), Exprs.arg(1)), one, other));
  }
}
