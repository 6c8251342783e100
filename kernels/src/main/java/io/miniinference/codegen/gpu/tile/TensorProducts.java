package io.miniinference.codegen.gpu.tile;

/// Whether and how products of `f32` matrices are computed from operands rounded to TF32.
public enum TensorProducts {
  /// Not at all: operands are as they are.
  NONE,

  /// By NVIDIA's tensor cores, through PTX in the kernel's text (`mma.sync`, from Ampere on).
  PTX,

  /// As the tensor cores would, written in the language of all kernels: the tiles, the panels and
  /// the rounding are the same, so that these can be tested on any OpenCL device.
  PORTABLE
}
