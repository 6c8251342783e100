package io.miniinference.ir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// A tensor's elements as Java's arrays: each type as itself or as a wider one, never as one that
/// does not hold all of its values.
final class Elements {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ORDER);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ORDER);
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ORDER);
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ORDER);

  private Elements() {}

  static float[] floats(Tensor tensor) {
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case F32 -> data.toArray(FLOAT);
      case F16 -> widened(data, Float::float16ToFloat);
      case BF16 -> widened(data, BrainFloat::toFloat);
      case F64, I8, I16, I32, I64, U8, U16, U32, U64, BOOL -> throw refusal(tensor, "float");
    };
  }

  /// What 16 bits stand for.
  @FunctionalInterface
  private interface Widening {
    float of(short bits);
  }

  private static float[] widened(MemorySegment data, Widening widening) {
    short[] bits = data.toArray(SHORT);
    float[] values = new float[bits.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = widening.of(bits[i]);
    }
    return values;
  }

  static double[] doubles(Tensor tensor) {
    if (tensor.element() == ElementType.F64) {
      return tensor.data().toArray(DOUBLE);
    }
    if (!tensor.element().isFloat()) {
      throw refusal(tensor, "double");
    }
    float[] floats = floats(tensor);
    return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
  }

  static long[] longs(Tensor tensor) {
    requireNumbers(tensor, "long");
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case I64 -> data.toArray(LONG);
      case U32 -> IntStream.of(data.toArray(INT)).mapToLong(Integer::toUnsignedLong).toArray();
      case I8, I16, I32, U8, U16 -> IntStream.of(ints(tensor)).asLongStream().toArray();
      case F32, F64, F16, BF16, U64, BOOL -> throw refusal(tensor, "long");
    };
  }

  static int[] ints(Tensor tensor) {
    requireNumbers(tensor, "int");
    MemorySegment data = tensor.data();
    int count = (int) Math.min(tensor.elements(), Integer.MAX_VALUE);
    return switch (tensor.element()) {
      case I32 -> data.toArray(INT);
      case I16 -> values(count, i -> data.getAtIndex(SHORT, i));
      case U16 -> values(count, i -> Short.toUnsignedInt(data.getAtIndex(SHORT, i)));
      case I8 -> values(count, i -> data.get(JAVA_BYTE, i));
      case U8 -> values(count, i -> Byte.toUnsignedInt(data.get(JAVA_BYTE, i)));
      case F32, F64, F16, BF16, I64, U32, U64, BOOL -> throw refusal(tensor, "int");
    };
  }

  private static int[] values(int count, IntUnaryOperator value) {
    return IntStream.range(0, count).map(value).toArray();
  }

  static boolean[] booleans(Tensor tensor) {
    if (tensor.element() != ElementType.BOOL) {
      throw refusal(tensor, "boolean");
    }
    byte[] bytes = tensor.data().toArray(JAVA_BYTE);
    boolean[] values = new boolean[bytes.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes[i] != 0;
    }
    return values;
  }

  private static void requireNumbers(Tensor tensor, String wanted) {
    if (tensor.isOfStrings()) {
      throw refusal(tensor, wanted);
    }
  }

  private static IllegalStateException refusal(Tensor tensor, String wanted) {
    String remedy = tensor.isOfStrings() ? "take them with strings()" : remedy(tensor.element());
    return new IllegalStateException(
        "elements of " + tensor + " do not fit " + wanted + ": " + remedy);
  }

  private static String remedy(ElementType element) {
    return switch (element) {
      case F32, F16, BF16 -> "take them with floats()";
      case F64 -> "take them with doubles()";
      case I8, I16, I32, U8, U16 -> "take them with ints()";
      case I64, U32 -> "take them with longs()";
      case BOOL -> "take them with booleans()";
      case U64 -> "read data() and treat them with Long's methods for unsigned numbers";
    };
  }
}
