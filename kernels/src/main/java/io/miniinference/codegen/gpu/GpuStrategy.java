package io.miniinference.codegen.gpu;

/// What the GPU writer decided for a node.
sealed interface GpuStrategy {

  /// A work item per element, or a work-group per row.
  record Plain() implements GpuStrategy {}

  /// Tiles of a matrix product.
  ///
  /// @param joined whether the left operand's axes but the last are one axis of rows
  record TiledMatMul(Tile tile, boolean joined) implements GpuStrategy {}

  /// Tiles of a convolution as a matrix product: output pixels by output channels.
  record TiledConv(Tile tile) implements GpuStrategy {}
}
