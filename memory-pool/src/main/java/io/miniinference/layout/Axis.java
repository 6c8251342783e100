package io.miniinference.layout;

/// One logical axis of an [IndexFunction].
///
/// Index `i` of the axis adds `(i / block)·outerStride + (i mod block)·stride` elements where the
/// axis is blocked, and `i·stride` where it is not (`block == 1`; `outerStride` then equals
/// `stride`). The last block of a blocked axis is whole in memory: its padding lanes belong to the
/// memory block, and kernels may compute in them, but no element depends on what they hold.
///
/// @param extent number of indices
/// @param stride elements between neighbours (inside a block of a blocked axis); 0 repeats
/// @param block lanes per block, 1 for an axis that is not blocked
/// @param outerStride elements between blocks
public record Axis(Affine extent, Affine stride, int block, Affine outerStride) {
  public Axis {
    if (block < 1) {
      throw new IllegalArgumentException("block must be at least 1, is " + block);
    }
    if (block == 1 && !outerStride.equals(stride)) {
      throw new IllegalArgumentException("an unblocked axis has one stride");
    }
    if (block > 1 && !extent.isConstant()) {
      throw new IllegalArgumentException("a blocked axis has a constant extent, not " + extent);
    }
  }

  public static Axis plain(Affine extent, Affine stride) {
    return new Axis(extent, stride, 1, stride);
  }

  public boolean isBlocked() {
    return block > 1;
  }

  /// Blocks of a blocked axis, the last one padded.
  public long blocks() {
    return Math.ceilDiv(extent.asConstant(), block);
  }

  /// The element distance of `index` from the start of the axis at batch size `n`.
  public long at(long index, long n) {
    return block == 1
        ? Math.multiplyExact(index, stride.at(n))
        : index / block * outerStride.at(n) + index % block * stride.at(n);
  }

  @Override
  public String toString() {
    return isBlocked()
        ? extent + ":" + stride + "/" + block + ":" + outerStride
        : extent + ":" + stride;
  }
}
