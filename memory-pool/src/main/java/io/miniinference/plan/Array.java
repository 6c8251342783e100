package io.miniinference.plan;

import io.miniinference.layout.IndexFunction;

/// A tensor in memory: a block and the index function through which it is read or written.
///
/// @param name the value's name; names inside a body are prefixed with the body's
/// @param index element offsets inside the block
/// @param elementBytes bytes of one element
public record Array(String name, Block block, IndexFunction index, int elementBytes) {

  /// The same memory under another name and index function.
  public Array view(String viewName, IndexFunction view) {
    return new Array(viewName, block, view, elementBytes);
  }
}
