package io.miniinference.codegen.cpu;

/// What the CPU writer decided for a node.
sealed interface CpuStrategy {

  /// Scalar loops in the order of the output's memory.
  record Loop() implements CpuStrategy {}

  /// Register tile of `rows` × `vectors·16` columns over packed columns.
  record PackedGemm(int rows, int vectors, VectorEpilogue epilogue) implements CpuStrategy {}

  /// Register tile of `pixels` output pixels × `blocks·16` output channels.
  record DirectConv(int blocks, int pixels, VectorEpilogue epilogue) implements CpuStrategy {}

  /// One filter per channel, sixteen channels at a time: register tile of `pixels` output pixels.
  record Depthwise(int pixels, VectorEpilogue epilogue) implements CpuStrategy {}

  /// Sixteen output channels of one output pixel at a time.
  record DirectConvTranspose(VectorEpilogue epilogue) implements CpuStrategy {}

  /// Sixteen channels at a time.
  record BlockedPool() implements CpuStrategy {}
}
