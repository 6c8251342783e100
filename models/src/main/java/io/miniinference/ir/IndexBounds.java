package io.miniinference.ir;

import org.jspecify.annotations.Nullable;

/// Which indices are legal on an axis of `s` elements: `[-s, s-1]` if they may count from the end,
/// else `[0, s-1]`.
///
/// @param fromEnd whether negative indices count from the end of the axis
/// @param ignored an index that is legal and names nothing: zero is read there
public record IndexBounds(boolean fromEnd, @Nullable Long ignored) {
  /// What ONNX says of indices in general.
  public static final IndexBounds EITHER_END = new IndexBounds(true, null);
}
