package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr.BinaryOp;
import org.jspecify.annotations.Nullable;

/// Loops over arrays of floats and of longs together: what leads from the one to the other, and
/// reads at computed places. Each says whether all elements have a value; those that a mask leaves
/// out need none.
final class MixedLoops {
  private MixedLoops() {}

  static boolean compare(BinaryOp op, long[] to, float[] a, float[] b, int count) {
    return switch (op) {
      case LT -> less(to, a, b, count);
      case GT -> less(to, b, a, count);
      case LE -> atMost(to, a, b, count);
      case GE -> atMost(to, b, a, count);
      default -> compareBy(op, to, a, b, count);
    };
  }

  private static boolean less(long[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] < b[i] ? 1 : 0;
    }
    return true;
  }

  private static boolean atMost(long[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = a[i] <= b[i] ? 1 : 0;
    }
    return true;
  }

  private static boolean compareBy(BinaryOp op, long[] to, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = RealMath.compare(op, a[i], b[i]) ? 1 : 0;
    }
    return true;
  }

  static boolean isNaN(long[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.isNaN(a[i]) ? 1 : 0;
    }
    return true;
  }

  static boolean isInfinite(long[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.isInfinite(a[i]) ? 1 : 0;
    }
    return true;
  }

  static boolean bits(long[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.floatToRawIntBits(a[i]);
    }
    return true;
  }

  static boolean ofBits(float[] to, long[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.intBitsToFloat((int) a[i]);
    }
    return true;
  }

  static boolean select(float[] to, long[] condition, float[] a, float[] b, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = condition[i] != 0 ? a[i] : b[i];
    }
    return true;
  }

  static boolean toWhole(ElementType type, long[] to, float[] a, int count) {
    if (type == ElementType.I64) {
      for (int i = 0; i < count; i++) {
        to[i] = (long) a[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = Numbers.toWhole(type, a[i]);
      }
    }
    return true;
  }

  static boolean toFloat(ElementType from, ElementType type, float[] to, long[] a, int count) {
    if (from == ElementType.U64 || type != ElementType.F32) {
      for (int i = 0; i < count; i++) {
        to[i] = (float) Numbers.narrow(type, Numbers.toFloat(from, a[i]));
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = a[i];
      }
    }
    return true;
  }

  static boolean narrow(ElementType type, float[] to, float[] a, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Numbers.narrow(type, a[i]);
    }
    return true;
  }

  /// Whether each divisor that counts is another number than zero.
  static boolean areDivisors(long @Nullable [] mask, long[] divisors, int count) {
    for (int i = 0; i < count; i++) {
      if (divisors[i] == 0 && (mask == null || mask[i] != 0)) {
        return false;
      }
    }
    return true;
  }

  /// What is left of an index's offset ahead of it, and `index · step`. An index out of bounds that
  /// does not count is taken for 0.
  static boolean along(
      long[] to,
      long[] before,
      long[] index,
      long step,
      long extent,
      long @Nullable [] mask,
      int count) {
    long outside = 0;
    long last = extent - 1;
    for (int i = 0; i < count; i++) {
      outside |= index[i] | (last - index[i]);
      to[i] = before[i] + index[i] * step;
    }
    return outside >= 0 || (mask != null && bound(to, before, index, extent, mask, count));
  }

  private static boolean bound(
      long[] to, long[] before, long[] index, long extent, long[] mask, int count) {
    for (int i = 0; i < count; i++) {
      if (index[i] < 0 || index[i] >= extent) {
        if (mask[i] != 0) {
          return false;
        }
        to[i] = before[i];
      }
    }
    return true;
  }

  static boolean read(TensorView view, float[] to, long[] offsets, int count) {
    if (view.element() == ElementType.F32) {
      for (int i = 0; i < count; i++) {
        to[i] = view.floatAt(offsets[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = (float) view.realAt(offsets[i]);
      }
    }
    return true;
  }

  static boolean read(TensorView view, long[] to, long[] offsets, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = view.wholeAt(offsets[i]);
    }
    return true;
  }
}
