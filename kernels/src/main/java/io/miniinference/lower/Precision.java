package io.miniinference.lower;

import io.miniinference.ir.ElementType;
import java.util.Optional;

/// How exactly kernels compute models of `f32` numbers. Sums are in 32 bits always, and so is what
/// a step computes of its operands.
public enum Precision {
  /// Operands as they are. A convolution may take a form with fewer products, whose result is
  /// within 1e-5 of the sum of the magnitudes of what the direct form adds up.
  F32,

  /// As [#F32], with convolutions that add up each product as ONNX defines them.
  DIRECT,

  /// Operands of matrix products and convolutions rounded to TF32 where a device has units for such
  /// products: the range of `f32` with ten bits after the point, so that an operand is off by at
  /// most 2⁻¹¹ of itself, and a sum of products by at most 2⁻¹⁰ of the sum of their magnitudes.
  /// Other devices compute in `f32`.
  TF32,

  /// What steps hand to each other, and weights of products, stored in 16 bits, ten of them after
  /// the point: each is off by at most 2⁻¹¹ of itself, or 2⁻²⁵, and what exceeds 65504 is infinite.
  F16,

  /// What steps hand to each other, and weights of products, stored in 16 bits with the range of
  /// `f32` and seven bits after the point: each is off by at most 2⁻⁸ of itself.
  BF16;

  /// What `f32` numbers are stored as between steps; empty where they stay as they are.
  public Optional<ElementType> storage() {
    return switch (this) {
      case F32, DIRECT, TF32 -> Optional.empty();
      case F16 -> Optional.of(ElementType.F16);
      case BF16 -> Optional.of(ElementType.BF16);
    };
  }
}
