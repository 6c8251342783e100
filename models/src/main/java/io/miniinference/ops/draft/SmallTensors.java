package io.miniinference.ops.draft;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Tensors of a few elements, to and from Java arrays.
public final class SmallTensors {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private SmallTensors() {}

  /// Integers (wrapped to the type), booleans (0 or 1) or floats that equal integers.
  public static Tensor of(ElementType type, long[] shape, long... values) {
    return ofDoubles(type, shape, values, null);
  }

  /// Floats, or integers that equal them.
  public static Tensor of(ElementType type, long[] shape, double... values) {
    long[] whole = Arrays.stream(values).mapToLong(v -> (long) v).toArray();
    return ofDoubles(type, shape, whole, values);
  }

  private static Tensor ofDoubles(
      ElementType type, long[] shape, long[] whole, double @Nullable [] real) {
    byte[] bytes = new byte[Math.toIntExact(Tensor.elements(shape) * type.bytes())];
    MemorySegment data = MemorySegment.ofArray(bytes);
    for (int i = 0; i < whole.length; i++) {
      put(data, type, i, whole[i], real == null ? whole[i] : real[i]);
    }
    return new Tensor(type, shape, data);
  }

  private static void put(MemorySegment data, ElementType type, int i, long whole, double real) {
    switch (type) {
      case F32 -> data.set(INT, 4L * i, Float.floatToRawIntBits((float) real));
      case F64 -> data.set(LONG, 8L * i, Double.doubleToRawLongBits(real));
      case F16 -> data.set(SHORT, 2L * i, Float.floatToFloat16((float) real));
      case BF16 -> data.set(SHORT, 2L * i, BrainFloat.of((float) real));
      case I8, U8, BOOL -> data.set(ValueLayout.JAVA_BYTE, i, (byte) whole);
      case I16, U16 -> data.set(SHORT, 2L * i, (short) whole);
      case I32, U32 -> data.set(INT, 4L * i, (int) whole);
      case I64, U64 -> data.set(LONG, 8L * i, whole);
    }
  }

  /// Element `i` of an integer or boolean tensor.
  public static long integer(Tensor tensor, long i) {
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case I8 -> data.get(ValueLayout.JAVA_BYTE, i);
      case U8, BOOL -> data.get(ValueLayout.JAVA_BYTE, i) & 0xffL;
      case I16 -> data.get(SHORT, 2 * i);
      case U16 -> data.get(SHORT, 2 * i) & 0xffffL;
      case I32 -> data.get(INT, 4 * i);
      case U32 -> data.get(INT, 4 * i) & 0xffff_ffffL;
      case I64, U64 -> data.get(LONG, 8 * i);
      case F32, F64, F16, BF16 -> (long) real(tensor, i);
    };
  }

  /// Element `i` as a double.
  public static double real(Tensor tensor, long i) {
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case F32 -> Float.intBitsToFloat(data.get(INT, 4 * i));
      case F64 -> Double.longBitsToDouble(data.get(LONG, 8 * i));
      case F16 -> Float.float16ToFloat(data.get(SHORT, 2 * i));
      case BF16 -> BrainFloat.toFloat(data.get(SHORT, 2 * i));
      case I8, I16, I32, I64, U8, U16, U32, U64, BOOL -> integer(tensor, i);
    };
  }

  public static long[] integers(Tensor tensor) {
    return LongStream.range(0, tensor.elements()).map(i -> integer(tensor, i)).toArray();
  }

  public static double[] reals(Tensor tensor) {
    return LongStream.range(0, tensor.elements()).mapToDouble(i -> real(tensor, i)).toArray();
  }

  /// The elements as sizes that do not depend on the batch.
  static SymbolicTensor known(Tensor tensor) {
    return new SymbolicTensor(Arrays.stream(integers(tensor)).mapToObj(Affine::of).toList());
  }
}
