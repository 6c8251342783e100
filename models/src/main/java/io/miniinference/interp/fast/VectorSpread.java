package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.PixelScratch;
import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.lanes.VectorTile;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.util.Arrays;

/// Transposed convolution in `F32` as products of [VectorTile], one for each remainder of an
/// output's place by the strides: the outputs of a remainder are reached through the same taps.
/// Products with the zeros between an input's elements are left out, which changes no bit where
/// weights are finite, but maybe the sign of a sum that is zero. So it wants weights of which those
/// of neighbouring channels are neighbours: others, and those that are not finite, are not packed
/// so.
final class VectorSpread {
  private final TensorView x;
  private final TensorView w;
  private final RowSink sink;
  private final VectorScratch scratch = VectorScratch.get();
  private final PixelScratch pixels = PixelScratch.get();
  private final SpreadAxis high;
  private final SpreadAxis wide;
  private final int inputs;
  private final int channels;
  private final int bandRows;
  private final int pitch;
  private final int planeStep;
  private final float[] values;

  private VectorSpread(Task task, SpreadAxis high, SpreadAxis wide, RowSink sink, int bandRows) {
    this.x = task.operand(0);
    this.w = task.operand(1);
    this.sink = sink;
    this.high = high;
    this.wide = wide;
    this.bandRows = bandRows;
    inputs = Math.toIntExact(x.dim(1));
    channels = Math.toIntExact(task.output().dim(1));
    pitch = wide.seen(wide.most());
    planeStep = pitch * high.seen(bandRows);
    values = pixels.values(planeStep * inputs);
  }

  /// Runs a share of a transposed convolution, if it has a form here.
  ///
  /// @return whether it did
  static boolean run(Task task, Window window, int groups, RowSink.Factory sinks) {
    TensorView x = task.operand(0);
    TensorView w = task.operand(1);
    TensorView y = task.output();
    boolean isNative = x.isNative() && w.isNative();
    boolean areLanes = groups == 1 && w.strides().steps()[1] == 1 && w.dim(1) >= VectorTile.LANES;
    if (!isNative || !areLanes || y.elements() == 0 || w.elements() == 0) {
      return false;
    }
    int last = x.rank() - 1;
    SpreadAxis wide = SpreadAxis.of(window, last - 2, x.dim(last), y.dim(last));
    SpreadAxis high =
        last == 2 ? SpreadAxis.missing() : SpreadAxis.of(window, 0, x.dim(2), y.dim(2));
    int rows = VectorScratch.COLUMNS / (wide.outputs() * high.stride());
    double bytes = 4.0 * x.dim(1) * high.seen(Math.max(1, rows)) * wide.seen(wide.most());
    if (rows == 0 || bytes > VectorScratch.MOST_BYTES) {
      return false;
    }
    new VectorSpread(task, high, wide, sinks.bind(task), Math.min(rows, high.most())).run(task);
    return true;
  }

  private void run(Task task) {
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; ) {
      int m = Math.toIntExact(item % channels);
      int count = Math.toIntExact(Math.min(end - item, channels - m));
      for (int row = 0; row < high.most(); row += bandRows) {
        int rows = Math.min(bandRows, high.most() - row);
        copy(item / channels, row, rows);
        band(item / channels, m, count, row, rows);
      }
      item += count;
    }
  }

  private void band(long n, int m, int count, int row, int rows) {
    int slab = channels >= VectorTile.COLUMNS ? VectorTile.COLUMNS : VectorTile.LANES;
    for (int done = 0; done < count; done += slab) {
      int first = Math.min(m + done, channels - slab);
      int sums = 0;
      for (int ph = 0; ph < high.stride(); ph++) {
        for (int pw = 0; pw < wide.stride(); pw++) {
          sums += phase(ph, pw, high.outputs(ph, row, rows), first, slab, sums);
        }
      }
      for (int i = 0; i < Math.min(slab, count - done); i++) {
        put(n * channels + m + done + i, m + done + i - first, row, rows);
      }
    }
  }

  /* The outputs of two remainders, one behind the other in the sums. */
  private int phase(int ph, int pw, int rows, int first, int slab, int from) {
    int columns = wide.outputs(pw, 0, wide.most());
    int[] pixelAt = pixels.pixelAt(rows * columns + 1);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        pixelAt[i * columns + j] = i * pitch + j;
      }
    }
    int depth = locateTaps(ph, pw);
    new VectorTile(
            values, pixelAt, pixels.depthAt(depth), w.memory(), scratch.rightAt(depth), depth)
        .multiply(
            rows * columns,
            w.byteAt(w.strides().base() + first),
            slab,
            false,
            scratch.sums,
            from * VectorTile.COLUMNS,
            VectorTile.COLUMNS);
    return rows * columns;
  }

  private int locateTaps(int ph, int pw) {
    long[] steps = w.strides().steps();
    int taps = high.kernel() * wide.kernel();
    int[] depthAt = pixels.depthAt(inputs * taps);
    long[] rightAt = scratch.rightAt(inputs * taps);
    int depth = 0;
    for (int c = 0; c < inputs; c++) {
      for (int kh = 0; kh < high.kernel(); kh++) {
        for (int kw = 0; kw < wide.kernel() && high.reaches(kh, ph); kw++) {
          if (wide.reaches(kw, pw)) {
            depthAt[depth] = c * planeStep + high.at(kh, ph) * pitch + wide.at(kw, pw);
            long tap = kw * steps[x.rank() - 1] + (x.rank() == 3 ? 0 : kh * steps[2]);
            rightAt[depth++] = 4 * (c * steps[0] + tap);
          }
        }
      }
    }
    return depth;
  }

  private void put(long plane, int lane, int row, int rows) {
    float[] result = scratch.row;
    int sums = lane;
    int width = wide.outputs();
    for (int ph = 0; ph < high.stride(); ph++) {
      int high0 = high.outputs(ph, row, rows);
      for (int pw = 0; pw < wide.stride(); pw++) {
        int columns = wide.outputs(pw, 0, wide.most());
        for (int i = 0; i < high0; i++) {
          int to = (i * high.stride() + ph) * width + pw;
          for (int j = 0; j < columns; j++) {
            result[to] = scratch.sums[sums];
            sums += VectorTile.COLUMNS;
            to += wide.stride();
          }
        }
      }
    }
    int from = row * high.stride();
    int height = Math.min(rows * high.stride(), high.outputs() - from);
    sink.put((plane * high.outputs() + from) * width, result, height * width);
  }

  /* What the band's outputs are reached from, zeros around it. */
  private void copy(long n, int row, int rows) {
    long[] steps = x.strides().steps();
    int last = x.rank() - 1;
    int top = row + high.first();
    int from = Math.max(0, top);
    int to = Math.min(high.inputs(), top + high.seen(rows));
    int left = Math.max(0, wide.first());
    int columns = Math.min(wide.inputs(), wide.first() + pitch) - left;
    Arrays.fill(values, 0, planeStep * inputs, 0);
    for (int c = 0; c < inputs && columns > 0; c++) {
      long plane = x.strides().base() + n * steps[0] + c * steps[1] + left * steps[last];
      for (int y = from; y < to; y++) {
        long line = plane + (last == 2 ? 0 : y * steps[2]);
        int at = c * planeStep + (y - top) * pitch + left - wide.first();
        x.floats(line, steps[last], values, at, columns);
      }
    }
  }
}
