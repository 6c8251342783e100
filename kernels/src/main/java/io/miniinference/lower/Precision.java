package io.miniinference.lower;

/// How exactly kernels multiply matrices and convolve images of `f32` numbers. Sums are in 32 bits
/// always, and all else is computed in `f32`.
public enum Precision {
  /// Operands as they are.
  F32,

  /// Operands rounded to TF32 where a device has units for such products: the range of `f32` with
  /// ten bits after the point, so that an operand is off by at most 2⁻¹¹ of itself, and a sum of
  /// products by at most 2⁻¹⁰ of the sum of their magnitudes. Other devices compute in `f32`.
  TF32
}
