package io.miniinference.runtime.strings;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Codes of strings as arrays, and tensors of them.
final class StringTensors {
  /// Most elements that a node may make.
  private static final int MOST = 1 << 24;

  static final long CODE_BYTES = 4;

  private static final ValueLayout.OfInt CODE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private StringTensors() {}

  static int[] codes(Tensor tensor) {
    return tensor.data().toArray(CODE);
  }

  static Tensor of(int[] codes, long[] shape, StringTable table) {
    return new Tensor(CodedType.STRING.element(), shape, MemorySegment.ofArray(codes), table);
  }

  /// A product; the largest number where it does not fit.
  static long times(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /// How many elements a result of a shape has.
  ///
  /// @throws InvalidRequestException if they are too many
  static int count(long[] shape) {
    long count;
    try {
      count = Tensor.elements(shape);
    } catch (ArithmeticException e) {
      count = Long.MAX_VALUE;
    }
    if (count > MOST) {
      throw new InvalidRequestException(
          "strings of shape %s would be made of the request's, more than %d"
              .formatted(Arrays.toString(shape), MOST));
    }
    return (int) count;
  }
}
