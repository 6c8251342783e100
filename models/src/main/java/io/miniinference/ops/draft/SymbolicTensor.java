package io.miniinference.ops.draft;

import io.miniinference.layout.Affine;
import java.util.List;

/// The elements of a small integer tensor that are known at load, though they may depend on the
/// batch symbol.
///
/// @param values row-major
public record SymbolicTensor(List<Affine> values) {
  /// Most elements that are tracked: shapes, axes and indices are far smaller.
  public static final int MAX_ELEMENTS = 4096;

  public SymbolicTensor {
    values = List.copyOf(values);
  }

  boolean isConstant() {
    return values.stream().allMatch(Affine::isConstant);
  }

  long[] constants() {
    return values.stream().mapToLong(Affine::asConstant).toArray();
  }
}
