package io.miniinference.ir;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A tensor's content: dense row-major elements, little-endian.
///
/// @param element the element type
/// @param shape dimensions, none negative
/// @param data exactly `elements · element.bytes()` bytes; not to be changed once shared
public record Tensor(ElementType element, long[] shape, MemorySegment data) {
  public Tensor {
    long bytes = Math.multiplyExact(elements(shape), (long) element.bytes());
    if (data.byteSize() != bytes) {
      throw new IllegalArgumentException(
          element + Arrays.toString(shape) + " needs " + bytes + " bytes, got " + data.byteSize());
    }
  }

  public long elements() {
    return elements(shape);
  }

  /// The product of the dimensions.
  ///
  /// @throws IllegalArgumentException if one is negative
  /// @throws ArithmeticException if it overflows
  public static long elements(long[] shape) {
    long product = 1;
    for (long dim : shape) {
      if (dim < 0) {
        throw new IllegalArgumentException("negative dimension in " + Arrays.toString(shape));
      }
      product = Math.multiplyExact(product, dim);
    }
    return product;
  }

  public TensorType type() {
    return TensorType.of(element, shape);
  }

  @Override
  public String toString() {
    return type().toString();
  }
}
