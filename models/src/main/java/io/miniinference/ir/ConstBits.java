package io.miniinference.ir;

/// How an [Expr.Const] holds a number: as the value that its element type has room for.
final class ConstBits {
  private ConstBits() {}

  static long of(ElementType type, double value) {
    return switch (type.kind()) {
      case FLOAT -> Double.doubleToRawLongBits(rounded(type, value));
      case BOOL -> value == 0 ? 0 : 1;
      case SIGNED, UNSIGNED -> of(type, (long) value);
    };
  }

  static long of(ElementType type, long value) {
    return switch (type) {
      case F32 -> Double.doubleToRawLongBits((float) value);
      case F64, F16, BF16 -> of(type, (double) value);
      case BOOL -> value == 0 ? 0 : 1;
      case I8 -> (byte) value;
      case I16 -> (short) value;
      case I32 -> (int) value;
      case U8 -> value & 0xFF;
      case U16 -> value & 0xFFFF;
      case U32 -> value & 0xFFFFFFFFL;
      case I64, U64 -> value;
    };
  }

  private static double rounded(ElementType type, double value) {
    return switch (type) {
      case F16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
      case BF16 -> BrainFloat.toFloat(BrainFloat.of((float) value));
      case F32 -> (float) value;
      default -> value;
    };
  }
}
