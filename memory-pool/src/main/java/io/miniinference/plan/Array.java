package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A tensor in memory: a block and the index function through which it is read or written.
///
/// @param name the value's name; names inside a body are prefixed with the body's
/// @param index element offsets inside the block
/// @param elementBytes bytes of one element
/// @param origin the array of the same block of which this is a view or part, so that it can be
///   found again when that one is moved; null for an array that stands for itself
public record Array(
    String name, Block block, IndexFunction index, int elementBytes, @Nullable Origin origin) {

  /// An array that is no view of another.
  public Array(String name, Block block, IndexFunction index, int elementBytes) {
    this(name, block, index, elementBytes, null);
  }

  /// Where the elements of a view come from.
  public record Origin(Array source, Movement movement) {}

  /// The array of which this is a view, or that is a view of it, and so on.
  public Array whole() {
    return origin == null ? this : origin.source().whole();
  }

  /// How many views lead from an array that is none to this one.
  public int views() {
    int views = 0;
    for (Origin at = origin; at != null; at = at.source().origin()) {
      views++;
    }
    return views;
  }

  /// Bytes of its block ahead of its first element.
  public Affine offsetBytes() {
    return index.offset().times(elementBytes);
  }

  /// Bytes of its elements, padding included.
  public long denseBytes(long batch) {
    return index.denseElements().at(batch) * elementBytes;
  }

  /// The same memory under another name and index function, which is no view of this one.
  public Array view(String viewName, IndexFunction view) {
    return new Array(viewName, block, view, elementBytes);
  }

  /// A view of this array, or nothing where movement and index function do not compose.
  public Optional<Array> view(String viewName, Movement movement) {
    return movement
        .of(index)
        .map(view -> new Array(viewName, block, view, elementBytes, new Origin(this, movement)));
  }
}
