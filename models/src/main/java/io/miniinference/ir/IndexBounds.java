package io.miniinference.ir;

import org.jspecify.annotations.Nullable;

/// Which indices are legal on an axis of `s` elements: `[-s, s-1]` if they may count from the end,
/// else `[0, s-1]`.
///
/// @param fromEnd whether negative indices count from the end of the axis
/// @param ignored an index that is legal and names nothing: zero is read there
/// @param size whose size the index is, if it is one: a bad index is then told as a negative size
/// @param trusted whether all indices are known to be legal, so that nothing looks at them
public record IndexBounds(
    boolean fromEnd, @Nullable Long ignored, @Nullable Size size, boolean trusted) {
  /// What ONNX says of indices in general.
  public static final IndexBounds EITHER_END = new IndexBounds(true, null);

  /// Bounds of indices that the engine itself made: none is outside `[0, s-1]`.
  public static final IndexBounds TRUSTED = new IndexBounds(false, null, null, true);

  public IndexBounds(boolean fromEnd, @Nullable Long ignored, @Nullable Size size) {
    this(fromEnd, ignored, size, false);
  }

  /// Bounds of what is no size.
  public IndexBounds(boolean fromEnd, @Nullable Long ignored) {
    this(fromEnd, ignored, null);
  }

  /// The bounds of what is a size and no index: it may not be negative. Where it is looked at on an
  /// axis of one element, it is either negative or 0.
  public static IndexBounds of(Size size) {
    return new IndexBounds(false, null, size);
  }

  /// The size of an axis, as messages name it.
  ///
  /// @param axis of the result of the node that takes the size
  /// @param position in the tensor that holds the sizes
  public record Size(int axis, int position) {}
}
