package io.miniinference.interp.memory;

import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.Arrays;
import java.util.stream.IntStream;

/// An index function at one batch size, as plain numbers. All arrays have one entry per axis.
///
/// @param base offset of logical index 0
/// @param steps elements between neighbours (inside a block of a blocked axis)
/// @param blocks lanes per block, 1 for an axis that is not blocked
/// @param outer elements between blocks
@SuppressWarnings("ArrayRecordComponent")
public record Strides(long base, long[] extents, long[] steps, int[] blocks, long[] outer) {

  static Strides of(IndexFunction index, long n) {
    int rank = index.rank();
    Strides s =
        new Strides(
            index.offset().at(n), new long[rank], new long[rank], new int[rank], new long[rank]);
    for (int i = 0; i < rank; i++) {
      Axis axis = index.axes().get(i);
      s.extents[i] = axis.extent().at(n);
      s.steps[i] = axis.stride().at(n);
      s.blocks[i] = axis.block();
      s.outer[i] = axis.outerStride().at(n);
    }
    return s;
  }

  /// Row-major order from `base` on.
  public static Strides dense(long base, long[] shape) {
    int rank = shape.length;
    Strides s = new Strides(base, shape, new long[rank], new int[rank], new long[rank]);
    long step = 1;
    for (int i = rank - 1; i >= 0; i--) {
      s.steps[i] = step;
      s.outer[i] = step;
      s.blocks[i] = 1;
      step *= shape[i];
    }
    return s;
  }

  /// Per axis `shape[i]` indices from `starts[i]` on, `every[i]` apart; no axis is blocked.
  public Strides slice(long[] starts, long[] every, long[] shape) {
    long at = base;
    long[] apart = new long[rank()];
    for (int i = 0; i < apart.length; i++) {
      at += starts[i] * steps[i];
      apart[i] = steps[i] * every[i];
    }
    return new Strides(at, shape, apart, blocks, apart);
  }

  /// These strides with other extents.
  public Strides under(long[] shape) {
    return new Strides(base, shape, steps, blocks, outer);
  }

  /// Whether each index has the same offset in both.
  boolean isSame(Strides other) {
    return base == other.base
        && Arrays.equals(extents, other.extents)
        && Arrays.equals(steps, other.steps)
        && Arrays.equals(blocks, other.blocks)
        && Arrays.equals(outer, other.outer);
  }

  int rank() {
    return extents.length;
  }

  public long offset(long[] index) {
    long at = base;
    for (int i = 0; i < index.length; i++) {
      at += along(i, index[i]);
    }
    return at;
  }

  /// What `index` along `axis` adds to the offset.
  public long along(int axis, long index) {
    int block = blocks[axis];
    return block == 1
        ? index * steps[axis]
        : index / block * outer[axis] + index % block * steps[axis];
  }

  public boolean isBlocked(int axis) {
    return blocks[axis] > 1;
  }

  public boolean isBlocked() {
    return IntStream.of(blocks).anyMatch(b -> b > 1);
  }

  boolean isDense() {
    long step = 1;
    for (int i = extents.length - 1; i >= 0; i--) {
      if (extents[i] != 1 && (blocks[i] > 1 || steps[i] != step)) {
        return false;
      }
      step *= extents[i];
    }
    return true;
  }

  /// These strides under a shape to which this one broadcasts, numpy's way.
  public Strides broadcast(long[] shape) {
    int rank = shape.length;
    int added = rank - rank();
    Strides s = new Strides(base, shape, new long[rank], new int[rank], new long[rank]);
    for (int i = 0; i < rank; i++) {
      boolean repeats = i < added || extents[i - added] == 1;
      s.blocks[i] = repeats ? 1 : blocks[i - added];
      s.steps[i] = repeats ? 0 : steps[i - added];
      s.outer[i] = repeats ? 0 : outer[i - added];
    }
    return s;
  }

  /// As [#broadcast] for all axes but the last two, which stay as they are.
  public Strides broadcastLeading(long[] shape) {
    Strides s = broadcast(shape);
    for (int i = 1; i <= 2; i++) {
      int to = shape.length - i;
      int from = rank() - i;
      s.blocks[to] = blocks[from];
      s.steps[to] = steps[from];
      s.outer[to] = outer[from];
    }
    return s;
  }

  /// The axes in another order: axis `i` of the result is axis `permutation[i]`.
  public Strides transpose(int[] permutation) {
    int rank = permutation.length;
    Strides s = new Strides(base, new long[rank], new long[rank], new int[rank], new long[rank]);
    for (int i = 0; i < rank; i++) {
      s.extents[i] = extents[permutation[i]];
      s.steps[i] = steps[permutation[i]];
      s.blocks[i] = blocks[permutation[i]];
      s.outer[i] = outer[permutation[i]];
    }
    return s;
  }

  public Strides swapLast() {
    int[] permutation = IntStream.range(0, rank()).toArray();
    permutation[rank() - 1] = rank() - 2;
    permutation[rank() - 2] = rank() - 1;
    return transpose(permutation);
  }

  /// The index at a position in row-major order.
  public static long[] indexAt(long position, long[] shape) {
    long[] index = new long[shape.length];
    long rest = position;
    for (int i = shape.length - 1; i >= 0 && rest > 0; i--) {
      index[i] = rest % shape[i];
      rest /= shape[i];
    }
    return index;
  }
}
