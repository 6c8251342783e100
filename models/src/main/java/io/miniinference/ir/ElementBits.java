package io.miniinference.ir;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Single elements of a [Tensor] as the bits of an [Expr.Const] and back.
public final class ElementBits {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ElementBits() {}

  /// Element `index` of `tensor` in row-major order.
  public static Expr.Const read(Tensor tensor, long index) {
    return new Expr.Const(tensor.element(), decode(tensor.element(), raw(tensor, index)));
  }

  /// Stores a constant of type `type` as element `index` of `data`.
  public static void write(MemorySegment data, ElementType type, long index, long bits) {
    writeRaw(data, type, index, encode(type, bits));
  }

  /// The element's own bits, zero-extended.
  public static long raw(Tensor tensor, long index) {
    MemorySegment data = tensor.data();
    int bytes = tensor.element().bytes();
    return switch (bytes) {
      case 1 -> data.get(ValueLayout.JAVA_BYTE, index) & 0xFFL;
      case 2 -> data.get(SHORT, index * 2) & 0xFFFFL;
      case 4 -> data.get(INT, index * 4) & 0xFFFFFFFFL;
      default -> data.get(LONG, index * 8);
    };
  }

  /// Whether an element of an integer or boolean tensor is zero.
  public static boolean hasZero(Tensor tensor) {
    for (long i = 0; i < tensor.elements(); i++) {
      if (raw(tensor, i) == 0) {
        return true;
      }
    }
    return false;
  }

  public static void writeRaw(MemorySegment data, ElementType type, long index, long raw) {
    switch (type.bytes()) {
      case 1 -> data.set(ValueLayout.JAVA_BYTE, index, (byte) raw);
      case 2 -> data.set(SHORT, index * 2, (short) raw);
      case 4 -> data.set(INT, index * 4, (int) raw);
      default -> data.set(LONG, index * 8, raw);
    }
  }

  public static long decode(ElementType type, long raw) {
    return switch (type) {
      case F32 -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) raw));
      case F16 -> Double.doubleToRawLongBits(Float.float16ToFloat((short) raw));
      case BF16 -> Double.doubleToRawLongBits(BrainFloat.toFloat((short) raw));
      case I8 -> (byte) raw;
      case I16 -> (short) raw;
      case I32 -> (int) raw;
      case F64, I64, U64, U8, U16, U32, BOOL -> raw;
    };
  }

  public static long encode(ElementType type, long bits) {
    float value = (float) Double.longBitsToDouble(bits);
    return switch (type) {
      case F32 -> Float.floatToRawIntBits(value) & 0xFFFFFFFFL;
      case F16 -> Float.floatToFloat16(value) & 0xFFFFL;
      case BF16 -> Float.floatToRawIntBits(value) >>> 16;
      case F64, I64, U64, U8, U16, U32, I8, I16, I32, BOOL -> bits;
    };
  }
}
