package io.miniinference.layout;

/// A size, stride or offset `constant + perBatch·N` in the graph's one batch symbol `N`.
///
/// A tensor dimension is either constant or a pure multiple of `N`; offsets and extents of merged
/// blocks may be sums of both. All arithmetic is checked: overflow throws [ArithmeticException].
///
/// A size may be *open*: then it is known now, and another one in the next request, so that a
/// decision which is to be the same for all requests asks for its [#typical] value, whether it is
/// [#isSingle], and what it [#isAlwaysMultipleOf]. Open or not, sizes of the same value are equal.
///
/// @param constant the part that does not depend on the batch
/// @param perBatch the factor of `N`
/// @param multiple 0 for a size that is the same in every request, else what it is a multiple of in
///   all of them
public record Affine(long constant, long perBatch, long multiple) {
  /// What decisions take an open size for.
  private static final long TYPICAL = 256;

  private static final String TOO_LARGE = "a size is too large to count in 64 bits";

  public static final Affine ZERO = new Affine(0, 0);
  public static final Affine ONE = new Affine(1, 0);

  /// The batch symbol itself.
  public static final Affine N = new Affine(0, 1);

  /// A size that is no open one.
  public Affine(long constant, long perBatch) {
    this(constant, perBatch, 0);
  }

  public static Affine of(long constant) {
    return new Affine(constant, 0);
  }

  /// `factor·N`.
  public static Affine batch(long factor) {
    return new Affine(0, factor);
  }

  /// The same size as one that differs from request to request.
  public Affine opened() {
    return new Affine(constant, perBatch, 1);
  }

  /// Whether it differs from request to request.
  public boolean isOpen() {
    return multiple != 0;
  }

  /// The constant part, or what an open size may well be in any request.
  public long typical() {
    return isOpen() ? TYPICAL : constant;
  }

  /// Whether it is 1 in every request.
  public boolean isSingle() {
    return constant == 1 && perBatch == 0 && !isOpen();
  }

  public boolean isConstant() {
    return perBatch == 0;
  }

  public boolean isZero() {
    return constant == 0 && perBatch == 0;
  }

  /// Whether this can be a tensor dimension: a constant or a pure multiple of `N`.
  public boolean isDimension() {
    return constant == 0 || perBatch == 0;
  }

  /// The constant.
  ///
  /// @throws IllegalStateException if the value depends on the batch
  public long asConstant() {
    if (perBatch != 0) {
      throw new IllegalStateException(this + " depends on the batch");
    }
    return constant;
  }

  /// The value at batch size `n`.
  public long at(long n) {
    return Math.addExact(constant, Math.multiplyExact(perBatch, n));
  }

  /// Whether this is no larger at every batch size.
  public boolean isAtMost(Affine other) {
    return constant <= other.constant && perBatch <= other.perBatch;
  }

  public Affine plus(Affine other) {
    return new Affine(
        Math.addExact(constant, other.constant),
        Math.addExact(perBatch, other.perBatch),
        common(other));
  }

  public Affine minus(Affine other) {
    return new Affine(
        Math.subtractExact(constant, other.constant),
        Math.subtractExact(perBatch, other.perBatch),
        common(other));
  }

  public Affine times(long factor) {
    return new Affine(
        Math.multiplyExact(constant, factor),
        Math.multiplyExact(perBatch, factor),
        isOpen() ? scaled(factor) : 0);
  }

  /// What is wrong with a size where arithmetic of sizes failed, in words: those of the JDK tell of
  /// overflows alone, if they say anything.
  public static String fault(ArithmeticException error) {
    String message = error.getMessage();
    return switch (message) {
      case null -> TOO_LARGE; // compiled code throws it without one
      case "long overflow" -> TOO_LARGE;
      case "integer overflow" -> "a number is too large for 32 bits";
      default -> message;
    };
  }

  /// The product.
  ///
  /// @throws ArithmeticException if both depend on the batch: `N²` is no size of ours
  public Affine times(Affine other) {
    if (perBatch != 0 && other.perBatch != 0) {
      throw new ArithmeticException("the product of " + this + " and " + other + " has N squared");
    }
    Affine product = other.isConstant() ? times(other.constant) : other.times(constant);
    return isOpen() || other.isOpen()
        ? new Affine(product.constant, product.perBatch, scaled(other.known()))
        : product;
  }

  /// Whether this is an exact multiple of `divisor` at every batch size.
  public boolean isMultipleOf(long divisor) {
    return constant % divisor == 0 && perBatch % divisor == 0;
  }

  /// Whether this is an exact multiple of `divisor` in every request.
  public boolean isAlwaysMultipleOf(long divisor) {
    return isOpen() ? multiple % divisor == 0 : isMultipleOf(divisor);
  }

  /// The exact quotient.
  ///
  /// @throws ArithmeticException if `divisor` does not divide this at every batch size
  public Affine dividedBy(long divisor) {
    if (!isMultipleOf(divisor)) {
      throw new ArithmeticException(this + " is no multiple of " + divisor);
    }
    return new Affine(constant / divisor, perBatch / divisor, divided(divisor));
  }

  /// Rounds each part up to a multiple of `unit`, so that the result is at least the rounded value
  /// at every batch size.
  public Affine roundedUp(long unit) {
    return new Affine(up(constant, unit), up(perBatch, unit), isOpen() ? unit : 0);
  }

  private static long up(long value, long unit) {
    return Math.multiplyExact(Math.ceilDivExact(value, unit), unit);
  }

  /* What a sum is a multiple of in all requests. */
  private long common(Affine other) {
    return isOpen() || other.isOpen() ? Math.max(1, gcd(known(), other.known())) : 0;
  }

  /* What this is a multiple of in all requests, 0 for zero. */
  private long known() {
    return isOpen() ? multiple : gcd(constant, perBatch);
  }

  /* What an open product is a multiple of. */
  private long scaled(long factor) {
    long own = Math.max(1, known());
    long other = Math.max(1, Math.abs(factor));
    return own > Integer.MAX_VALUE || other > Integer.MAX_VALUE ? own : own * other;
  }

  private long divided(long divisor) {
    return !isOpen() ? 0 : multiple % divisor == 0 ? multiple / divisor : 1;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? Math.abs(a) : gcd(b, a % b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Affine(long c, long b, long _) && c == constant && b == perBatch;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(constant) + Long.hashCode(perBatch);
  }

  /// `7`, `N`, `4N` or `7+4N`.
  @Override
  public String toString() {
    if (perBatch == 0) {
      return Long.toString(constant);
    }
    String batch = perBatch == 1 ? "N" : perBatch + "N";
    return constant == 0 ? batch : constant + "+" + batch;
  }

  /// Reads what [#toString] writes.
  ///
  /// @throws IllegalArgumentException if the text is no such value
  public static Affine parse(String text) {
    try {
      int plus = text.indexOf('+');
      if (plus >= 0) {
        return parse(text.substring(0, plus)).plus(parse(text.substring(plus + 1)));
      }
      if (!text.endsWith("N")) {
        return of(Long.parseLong(text));
      }
      String factor = text.substring(0, text.length() - 1);
      return batch(factor.isEmpty() ? 1 : Long.parseLong(factor));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no size like 7, N, 4N or 7+4N", e);
    }
  }
}
