package io.miniinference.interp.memory;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;

/// Conversions between element types.
public final class Numbers {
  private static final double TWO_63 = 0x1p63;

  private Numbers() {}

  /// The value of type `type` that has the low bits of `bits`.
  public static long wrap(ElementType type, long bits) {
    return switch (type) {
      case I8 -> (byte) bits;
      case U8 -> bits & 0xFFL;
      case I16 -> (short) bits;
      case U16 -> bits & 0xFFFFL;
      case I32 -> (int) bits;
      case U32 -> bits & 0xFFFF_FFFFL;
      case BOOL -> bits == 0 ? 0 : 1;
      default -> bits;
    };
  }

  /// Truncates toward zero and clamps to the type; NaN gives 0. `BOOL` is `≠ 0`.
  public static long toWhole(ElementType type, double value) {
    return switch (type) {
      case BOOL -> value != 0 ? 1 : 0;
      case I8 -> clamp(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case U8 -> clamp(value, 0, 0xFF);
      case I16 -> clamp(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case U16 -> clamp(value, 0, 0xFFFF);
      case I32 -> (int) value;
      case U32 -> clamp(value, 0, 0xFFFF_FFFFL);
      case U64 -> toUnsigned(value);
      default -> (long) value;
    };
  }

  private static long clamp(double value, long low, long high) {
    return Math.clamp((long) value, low, high);
  }

  private static long toUnsigned(double value) {
    if (!(value > 0)) {
      return 0;
    }
    if (value < TWO_63) {
      return (long) value;
    }
    return value >= 2 * TWO_63 ? -1L : (long) (value - TWO_63) + Long.MIN_VALUE;
  }

  /// The double nearest to an integer.
  public static double toReal(ElementType type, long value) {
    if (type != ElementType.U64 || value >= 0) {
      return value;
    }
    return (double) halved(value) * 2;
  }

  /// The float nearest to an integer, rounded once.
  public static float toFloat(ElementType type, long value) {
    if (type != ElementType.U64 || value >= 0) {
      return value;
    }
    return (float) halved(value) * 2;
  }

  /* Half of an unsigned value; the bit shifted out stays as a sticky bit, so that rounding does not
  change. */
  private static long halved(long value) {
    return (value >>> 1) | (value & 1);
  }

  /// Rounds to what the type computes in: doubles for `F64`, floats for the rest.
  public static double round(ElementType type, double value) {
    return type == ElementType.F64 ? value : (float) value;
  }

  /// Rounds to what the type stores.
  public static double narrow(ElementType type, double value) {
    return switch (type) {
      case F16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
      case BF16 -> BrainFloat.toFloat(BrainFloat.of((float) value));
      default -> round(type, value);
    };
  }
}
