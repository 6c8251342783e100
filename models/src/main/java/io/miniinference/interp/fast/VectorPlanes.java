package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.VectorScratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Window;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What the taps of a convolution see of one image and group, as rows of a product: a copy of some
/// rows of its planes with their padding, in which a tap is a shift; or the image as it lies, where
/// the only tap sees the output's own index.
final class VectorPlanes {
  private final TensorView x;
  private final VectorAxis high;
  private final VectorAxis wide;
  private final int inputs;
  private final boolean flat;
  private final int pitch;
  private final int bandRows;
  private final long bytes;
  private final long[] at;
  private final MemorySegment memory;

  private VectorPlanes(
      TensorView x, VectorAxis high, VectorAxis wide, int inputs, boolean flat, int pitch) {
    this.x = x;
    this.high = high;
    this.wide = wide;
    this.inputs = inputs;
    this.flat = flat;
    this.pitch = pitch;
    this.bandRows = VectorScratch.COLUMNS / pitch;
    this.bytes = flat ? 0 : (long) bytes(high, wide, inputs, pitch);
    VectorScratch scratch = VectorScratch.get();
    this.at = scratch.rightAt(inputs * high.kernel() * wide.kernel());
    this.memory = flat ? x.memory() : scratch.right(bytes);
    if (!flat) {
      locateTaps();
    }
  }

  /// The planes of a convolution, if they lie well and are not too large for a thread's memory.
  static @Nullable VectorPlanes of(Task task, Window window, int groups, boolean transposed) {
    TensorView x = task.operand(0);
    int last = x.rank() - 1;
    VectorAxis wide = VectorAxis.of(window, last - 2, x.dim(last), transposed);
    VectorAxis high =
        last == 2 ? VectorAxis.missing() : VectorAxis.of(window, 0, x.dim(2), transposed);
    int inputs = Math.toIntExact(x.dim(1) / groups);
    if (high.isSame() && wide.isSame() && isDensePlane(x)) {
      return new VectorPlanes(x, high, wide, inputs, true, 1);
    }
    long pitch = task.output().dim(last) + wide.reach();
    if (pitch > VectorScratch.COLUMNS
        || bytes(high, wide, inputs, pitch) > VectorScratch.MOST_BYTES) {
      return null;
    }
    return new VectorPlanes(x, high, wide, inputs, false, (int) pitch);
  }

  private static boolean isDensePlane(TensorView x) {
    long[] steps = x.strides().steps();
    int last = x.rank() - 1;
    return (steps[last] == 1 || x.dim(last) == 1)
        && (last == 2 || steps[2] == x.dim(3) || x.dim(2) == 1);
  }

  /* In numbers that do not overflow. */
  private static double bytes(VectorAxis high, VectorAxis wide, double inputs, double pitch) {
    double rows = Math.floor(VectorScratch.COLUMNS / pitch) + high.reach();
    return 4 * inputs * high.phases().length * wide.phases().length * rows * pitch;
  }

  /// Whether the image is read where it lies, its planes being single rows.
  boolean isFlat() {
    return flat;
  }

  /// Output rows that the memory is for.
  int bandRows() {
    return bandRows;
  }

  /// Elements between output rows.
  int pitch() {
    return pitch;
  }

  MemorySegment memory() {
    return memory;
  }

  /// Where what each tap of each channel sees begins, for the first output.
  long[] at() {
    return at;
  }

  /// Points the taps to an image, from an element of its planes on.
  void lookAt(long n, long firstInput, long element) {
    long[] steps = x.strides().steps();
    long first = x.strides().base() + n * steps[0] + firstInput * steps[1] + element;
    for (int c = 0; c < inputs; c++) {
      at[c] = x.byteAt(first + c * steps[1]);
    }
  }

  private int phaseElements() {
    return (bandRows + (int) high.reach()) * pitch;
  }

  private void locateTaps() {
    int next = 0;
    for (int c = 0; c < inputs; c++) {
      for (int kh = 0; kh < high.kernel(); kh++) {
        for (int kw = 0; kw < wide.kernel(); kw++) {
          at[next++] = 4 * tap(c, kh, kw);
        }
      }
    }
  }

  private long tap(int c, int kh, int kw) {
    return phase(c, high.phase(kh), wide.phase(kw)) + high.shift(kh) * pitch + wide.shift(kw);
  }

  private long phase(int c, int phaseHigh, int phaseWide) {
    long number = (long) c * high.phases().length + phaseHigh;
    return (number * wide.phases().length + phaseWide) * phaseElements();
  }

  /// Copies what output rows `row` to `row + rows − 1` of an image see.
  void copy(long n, long firstInput, int row, int rows) {
    memory.asSlice(0, bytes).fill((byte) 0);
    long[] steps = x.strides().steps();
    long image = x.strides().base() + n * steps[0] + firstInput * steps[1];
    for (int c = 0; c < inputs; c++) {
      for (int phase = 0; phase < high.phases().length; phase++) {
        plane(image + c * steps[1], c, phase, row, rows);
      }
    }
  }

  private void plane(long plane, int c, int phaseHigh, int row, int rows) {
    long rowStep = x.rank() == 3 ? 0 : x.strides().steps()[2];
    long last = rows + high.reach();
    for (int j = 0; j < last; j++) {
      int from = high.source(phaseHigh, row + j);
      for (int phase = 0; phase < wide.phases().length && from >= 0; phase++) {
        line(plane + from * rowStep, phase(c, phaseHigh, phase) + (long) j * pitch, phase);
      }
    }
  }

  /* Copies those elements of a row that a phase has. */
  private void line(long from, long to, int phase) {
    int first = wide.first(phase);
    int source = first < pitch ? wide.source(phase, first) : -1;
    if (source < 0) {
      return;
    }
    int sourceStep = wide.transposed() ? 1 : wide.stride();
    int count =
        Math.min(
            Math.ceilDiv(pitch - first, wide.step()),
            Math.ceilDiv(wide.extent() - source, sourceStep));
    long step = x.strides().steps()[x.rank() - 1];
    x.copyFloats(from + source * step, sourceStep * step, memory, to + first, wide.step(), count);
  }
}
