package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ElementType.Kind;
import io.miniinference.ir.Op.ReduceKind;

/// The accumulator of a reduction, a pooling window or a scan. Sums and products of floats are kept
/// in double precision and rounded once, by who reads them.
public final class Combiner {
  private final ReduceKind kind;
  private final ElementType type;
  private final boolean unsigned64;
  public double real;
  public long whole;
  private long best;
  private boolean started;

  public Combiner(ReduceKind kind, ElementType type) {
    this.kind = kind;
    this.type = type;
    this.unsigned64 = type == ElementType.U64;
  }

  /// Back to the neutral element.
  public void reset() {
    started = false;
    best = 0;
    switch (kind) {
      case SUM -> start(0);
      case PRODUCT -> start(1);
      case MAX -> {
        real = Double.NEGATIVE_INFINITY;
        whole = lowest(type);
      }
      case MIN -> {
        real = Double.POSITIVE_INFINITY;
        whole = highest(type);
      }
      case ARG_MAX, ARG_MIN, ARG_MAX_LAST, ARG_MIN_LAST -> start(0);
    }
  }

  private void start(long value) {
    real = value;
    whole = value;
  }

  /// Takes in a float, which has the place `position` along a reduced axis.
  public void add(double value, long position) {
    switch (kind) {
      case SUM -> real += value;
      case PRODUCT -> real *= value;
      case MAX -> real = Math.max(real, value);
      case MIN -> real = Math.min(real, value);
      case ARG_MAX -> keep(value > real || firstNaN(value), value, 0, position);
      case ARG_MIN -> keep(value < real || firstNaN(value), value, 0, position);
      case ARG_MAX_LAST -> keep(value >= real || firstNaN(value), value, 0, position);
      case ARG_MIN_LAST -> keep(value <= real || firstNaN(value), value, 0, position);
    }
  }

  /* The first NaN is the extreme where there is one, as NaN is of MAX and MIN. */
  private boolean firstNaN(double value) {
    return Double.isNaN(value) && !Double.isNaN(real);
  }

  /// Takes in an integer or boolean.
  public void add(long value, long position) {
    switch (kind) {
      case SUM -> whole = Numbers.wrap(type, whole + value);
      case PRODUCT -> whole = Numbers.wrap(type, whole * value);
      case MAX -> whole = less(whole, value) ? value : whole;
      case MIN -> whole = less(value, whole) ? value : whole;
      case ARG_MAX -> keep(less(whole, value), 0, value, position);
      case ARG_MIN -> keep(less(value, whole), 0, value, position);
      case ARG_MAX_LAST -> keep(!less(value, whole), 0, value, position);
      case ARG_MIN_LAST -> keep(!less(whole, value), 0, value, position);
    }
  }

  private boolean less(long a, long b) {
    return WholeMath.less(unsigned64, a, b);
  }

  private void keep(boolean better, double realValue, long wholeValue, long position) {
    if (better || !started) {
      started = true;
      real = realValue;
      whole = wholeValue;
      best = position;
    }
  }

  /// Puts the result where the epilogue finds it.
  public void into(Cursor cursor) {
    cursor.real = real;
    cursor.whole = kind.isArg() ? best : whole;
  }

  public static long lowest(ElementType type) {
    return type.kind() == Kind.SIGNED ? -1L << (type.bytes() * Byte.SIZE - 1) : 0;
  }

  public static long highest(ElementType type) {
    return switch (type.kind()) {
      case BOOL -> 1;
      case SIGNED -> ~lowest(type);
      default -> Numbers.wrap(type, -1);
    };
  }
}
