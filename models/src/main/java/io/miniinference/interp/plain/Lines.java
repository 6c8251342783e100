package io.miniinference.interp.plain;

import java.util.List;

/// The indices of a shape, split into some axes that make a line and the others, which number the
/// lines in row-major order.
public final class Lines {
  private final long[] shape;
  private final boolean[] inLine;

  public Lines(long[] shape, List<Integer> axes) {
    this.shape = shape;
    this.inLine = new boolean[shape.length];
    axes.forEach(axis -> inLine[axis] = true);
  }

  public long length() {
    long length = 1;
    for (int i = 0; i < shape.length; i++) {
      length *= inLine[i] ? shape[i] : 1;
    }
    return length;
  }

  /// Whether each line is a stretch of row-major order.
  public boolean areLast() {
    boolean outside = false;
    for (int i = shape.length - 1; i >= 0; i--) {
      if (shape[i] != 1) {
        if (outside && inLine[i]) {
          return false;
        }
        outside |= !inLine[i];
      }
    }
    return true;
  }

  /// The first index of line `item`.
  public long[] start(long item) {
    long[] index = new long[shape.length];
    long rest = item;
    for (int i = shape.length - 1; i >= 0; i--) {
      if (!inLine[i]) {
        index[i] = rest % shape[i];
        rest /= shape[i];
      }
    }
    return index;
  }

  /// To the next index of the line; after the last one the first follows.
  void next(long[] index) {
    for (int i = shape.length - 1; i >= 0; i--) {
      if (inLine[i]) {
        if (++index[i] < shape[i]) {
          return;
        }
        index[i] = 0;
      }
    }
  }
}
