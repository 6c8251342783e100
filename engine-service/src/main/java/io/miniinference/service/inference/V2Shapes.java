package io.miniinference.service.inference;

import io.miniinference.ir.TensorType;

/// Shapes as the protocol writes them: −1 for a dimension that the request chooses.
final class V2Shapes {
  private V2Shapes() {}

  static long[] of(TensorType type) {
    return type.shape().stream()
        .mapToLong(dim -> dim.isConstant() ? dim.asConstant() : -1)
        .toArray();
  }
}
