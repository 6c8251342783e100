package io.miniinference.ir;

/// Numbers of [ElementType#BF16]: the upper half of a `float`.
public final class BrainFloat {
  private BrainFloat() {}

  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /// Rounds to nearest, ties to even; NaN stays NaN.
  public static short of(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.isNaN(value)
        ? (short) (bits >>> 16 | 0x40)
        : (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
  }
}
