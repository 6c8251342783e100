package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.lanes.VectorTile;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;

/// Convolution in `F32` as products of [VectorTile] whose columns are channels of the result and
/// whose rows are pixels: no lane is lost to a plane's edges, so that small planes take it. It
/// wants weights of which those of neighbouring channels are neighbours.
final class VectorChannels {
  /* Pixels that are worked on at once. */
  private static final int PIXELS = 512;

  private final Task task;
  private final TensorView w;
  private final ConvWeights weights;
  private final PixelPlanes planes;
  private final RowSink sink;
  private final VectorScratch scratch = VectorScratch.get();
  private final int slab;
  private long[] rightAt = {};
  private final int channels;
  private final int height;
  private final int width;

  private VectorChannels(Task task, ConvWeights weights, PixelPlanes planes, RowSink sink) {
    this.task = task;
    this.w = task.operand(1);
    this.weights = weights;
    this.planes = planes;
    this.sink = sink;
    TensorView y = task.output();
    channels = Math.toIntExact(y.dim(1));
    height = y.rank() == 3 ? 1 : Math.toIntExact(y.dim(2));
    width = Math.toIntExact(y.dim(y.rank() - 1));
    slab =
        height * width == 1
            ? Math.min(channels, VectorScratch.COLUMNS)
            : slab(channels, planes.depth());
  }

  /* Channels that are worked on at once: of many, and deep ones, as few as the weights of stay in a
  core's cache. */
  private static int slab(int channels, int depth) {
    if (channels >= VectorTile.WIDE && 4L * VectorTile.WIDE * depth <= VectorScratch.GOOD_BYTES) {
      return VectorTile.WIDE;
    }
    return channels >= VectorTile.COLUMNS ? VectorTile.COLUMNS : VectorTile.LANES;
  }

  /// Runs a share of a convolution, if it has a form here.
  ///
  /// @return whether it did
  static boolean run(
      Task task, Window window, int groups, ConvWeights weights, RowSink.Factory sinks) {
    TensorView y = task.output();
    boolean isNative = task.operand(0).isNative() && task.operand(1).isNative();
    boolean areLanes = groups == 1 && weights.output() == 1 && y.dim(1) >= VectorTile.LANES;
    if (!isNative || !areLanes || y.elements() == 0 || task.operand(1).elements() == 0) {
      return false;
    }
    PixelPlanes planes = PixelPlanes.of(task, window, PIXELS);
    if (planes == null) {
      return false;
    }
    new VectorChannels(task, weights, planes, sinks.bind(task)).run();
    return true;
  }

  private void run() {
    rightAt = scratch.rightAt(planes.depth());
    for (int k = 0; k < planes.depth(); k++) {
      rightAt[k] = 4 * k * weights.depth();
    }
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; ) {
      long m = item % channels;
      int count = Math.toIntExact(Math.min(end - item, channels - m));
      image(item / channels, Math.toIntExact(m), count);
      item += count;
    }
  }

  /* Channels `m` to `m + count − 1` of an image, in bands of rows. */
  private void image(long n, int m, int count) {
    for (int row = 0; row < height; row += planes.bandRows()) {
      int rows = Math.min(planes.bandRows(), height - row);
      planes.moveTo(n, row, rows);
      for (int done = 0; done < count; done += slab) {
        slab(n, m + done, Math.min(slab, count - done), row, rows);
      }
    }
  }

  /* With channels before those at hand, where there are too few behind. */
  private void slab(long n, int m, int count, int row, int rows) {
    int lanes = Math.min(slab, Math.ceilDiv(count, VectorTile.LANES) * VectorTile.LANES);
    int first = Math.min(m, channels - lanes);
    int pixels = rows * width;
    new VectorTile(
            planes.values(),
            planes.pixelAt(),
            planes.depthAt(),
            w.memory(),
            rightAt,
            planes.depth())
        .multiply(pixels, w.byteAt(weights.at(first, 0)), lanes, false, scratch.sums, 0, slab);
    for (int i = 0; i < count; i++) {
      put(((n * channels + m + i) * height + row) * width, m + i - first, pixels);
    }
  }

  private void put(long first, int lane, int pixels) {
    float[] sums = scratch.sums;
    float[] values = scratch.row;
    int at = lane;
    for (int p = 0; p < pixels; p++) {
      values[p] = sums[at];
      at += slab;
    }
    sink.put(first, values, pixels);
  }
}
