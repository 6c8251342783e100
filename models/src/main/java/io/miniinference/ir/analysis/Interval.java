package io.miniinference.ir.analysis;

import io.miniinference.ir.ElementType;
import java.util.Optional;

/// The integers that a value can be, both ends included.
public record Interval(long low, long high) {
  /// Most bits of a number beside its sign: products of two of them fit 64.
  private static final int MOST_BITS = 31;

  public Interval {
    if (low > high) {
      throw new IllegalArgumentException("no integer is from " + low + " to " + high);
    }
  }

  /// One number.
  public static Interval of(long number) {
    return new Interval(number, number);
  }

  /// All that a type holds, if it holds integers of at most 31 bits and a sign, or truth values (0
  /// and 1).
  public static Optional<Interval> of(ElementType type) {
    boolean isSigned = type.kind() == ElementType.Kind.SIGNED;
    int bits = type == ElementType.BOOL ? 1 : 8 * type.bytes() - (isSigned ? 1 : 0);
    if (type.isFloat() || bits > MOST_BITS) {
      return Optional.empty();
    }
    long end = 1L << bits;
    return Optional.of(new Interval(isSigned ? -end : 0, end - 1));
  }

  /// The largest distance from zero.
  public long size() {
    return Math.max(Math.abs(low), Math.abs(high));
  }

  /// Whether all of `other` lies in it.
  public boolean contains(Interval other) {
    return low <= other.low && other.high <= high;
  }

  public Interval union(Interval other) {
    return new Interval(Math.min(low, other.low), Math.max(high, other.high));
  }

  public Interval plus(Interval other) {
    return new Interval(low + other.low, high + other.high);
  }

  public Interval minus(Interval other) {
    return new Interval(low - other.high, high - other.low);
  }

  public Interval times(Interval other) {
    long a = low * other.low;
    long b = low * other.high;
    long c = high * other.low;
    long d = high * other.high;
    return new Interval(
        Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
  }

  public Interval min(Interval other) {
    return new Interval(Math.min(low, other.low), Math.min(high, other.high));
  }

  public Interval max(Interval other) {
    return new Interval(Math.max(low, other.low), Math.max(high, other.high));
  }
}
