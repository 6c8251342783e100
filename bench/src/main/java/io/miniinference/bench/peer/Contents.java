package io.miniinference.bench.peer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.miniinference.bench.suite.BenchException;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// Makes tensors that look like requests.
final class Contents {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int LETTERS = 26;

  private Contents() {}

  static Tensor of(TensorType type, int batch, Random random) {
    long[] shape = type.shapeAt(batch);
    long bytes = Tensor.elements(shape) * type.element().bytes();
    MemorySegment data = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    fill(type, shape, data, random);
    return new Tensor(type.element(), shape, data);
  }

  /// Changes the signs of some numbers of type i64.
  static void negateHalf(Tensor numbers, Random random) {
    for (int i = 0; i < numbers.elements(); i++) {
      long number = numbers.data().getAtIndex(JAVA_LONG_UNALIGNED, i);
      numbers.data().setAtIndex(JAVA_LONG_UNALIGNED, i, random.nextBoolean() ? number : -number);
    }
  }

  private static void fill(TensorType type, long[] shape, MemorySegment data, Random random) {
    int count = Math.toIntExact(Tensor.elements(shape));
    switch (type.element()) {
      case F32 -> floats(shape, count, data, random);
      case I64 -> {
        for (int i = 0; i < count; i++) {
          data.setAtIndex(JAVA_LONG_UNALIGNED, i, 1 + random.nextInt(LETTERS));
        }
      }
      case I32 -> {
        for (int i = 0; i < count; i++) {
          data.setAtIndex(JAVA_INT_UNALIGNED, i, 1 + random.nextInt(LETTERS));
        }
      }
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          data.setAtIndex(JAVA_BYTE, i, (byte) random.nextInt(2));
        }
      }
      case F64, F16, BF16, I8, I16, U8, U16, U32, U64 ->
          throw new BenchException("no contents are made for inputs of type " + type);
    }
  }

  private static void floats(long[] shape, int count, MemorySegment data, Random random) {
    if (!Drawing.fits(shape)) {
      for (int i = 0; i < count; i++) {
        data.setAtIndex(FLOAT, i, random.nextFloat());
      }
      return;
    }
    for (int at = 0; at < count; at += Drawing.PIXELS) {
      float[] image = Drawing.of(random);
      for (int i = 0; i < Drawing.PIXELS; i++) {
        data.setAtIndex(FLOAT, at + i, image[i]);
      }
    }
  }
}
