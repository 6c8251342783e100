package io.miniinference.codegen.gpu.tile;

/// How a work-group shares out a product: it makes `rows` × `columns` elements, `depth` products at
/// a time from panels in local memory.
public sealed interface ProductTile permits Tile, TensorTile, HalfTile {
  int rows();

  int columns();

  int depth();

  /// Work items of a work-group.
  int items();

  /// How panels lie in local memory.
  Panel.Form form();

  /// Text of a work item's place in the tile; needed before all else.
  String place();

  /// What the tiles are, for readers of a plan.
  String about();
}
