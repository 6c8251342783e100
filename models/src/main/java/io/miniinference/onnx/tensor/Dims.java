package io.miniinference.onnx.tensor;

/// Checked arithmetic on the dimensions of a tensor.
final class Dims {
  private Dims() {}

  /// Product of the dimensions, 1 for a scalar.
  ///
  /// @throws ArithmeticException if a dimension is negative, or if the product of those that are
  ///   not zero is more than a `long` holds (a zero elsewhere does not make a shape reasonable)
  static long elements(long[] dims) {
    long product = 1;
    boolean empty = false;
    for (long dim : dims) {
      if (dim < 0) {
        throw new ArithmeticException("negative dimension");
      }
      empty |= dim == 0;
      product = Math.multiplyExact(product, Math.max(1, dim));
    }
    return empty ? 0 : product;
  }
}
