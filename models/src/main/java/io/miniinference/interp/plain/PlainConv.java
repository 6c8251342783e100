package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Taps;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Window;

/// Convolution and transposed convolution, one element at a time: channel by channel, in each tap
/// by tap. Products of `F32` are added in this order, each fused with its sum, padding being zeros
/// like any others; those of other floats are added in double precision.
final class PlainConv implements Producer {
  private final TensorView x;
  private final TensorView w;
  private final Taps taps;
  private final boolean transposed;
  private final long inputsPerGroup;
  private final long outputsPerGroup;
  private final boolean[] inside;
  private final long[] atX;
  private final long[] atW;

  private PlainConv(Window window, int groups, boolean transposed, Task task) {
    this.x = task.operand(0);
    this.w = task.operand(1);
    this.taps = new Taps(window);
    this.transposed = transposed;
    this.inputsPerGroup = x.dim(1) / groups;
    this.outputsPerGroup = task.output().dim(1) / groups;
    this.inside = new boolean[taps.count()];
    this.atX = new long[taps.count()];
    this.atW = inKernel();
  }

  static Producer forward(Op.Conv op, Task task) {
    return new PlainConv(op.window(), op.groups(), false, task);
  }

  static Producer transposed(Op.ConvTranspose op, Task task) {
    return new PlainConv(op.window(), op.groups(), true, task);
  }

  @Override
  public void produce(Cursor cursor) {
    locate(cursor.index);
    cursor.real = 0;
    cursor.whole = 0;
    long m = cursor.index[1];
    long group = m / outputsPerGroup;
    long image = x.strides().base() + x.strides().along(0, cursor.index[0]);
    for (long c = 0; c < inputsPerGroup; c++) {
      long channel = group * inputsPerGroup + c;
      long plane = image + x.strides().along(1, channel);
      long kernel = transposed ? kernel(channel, m % outputsPerGroup) : kernel(m, c);
      add(cursor, plane, kernel);
    }
  }

  private long kernel(long first, long second) {
    return w.strides().base() + w.strides().along(0, first) + w.strides().along(1, second);
  }

  /* Where each tap lies in a kernel, at any output position. */
  private long[] inKernel() {
    long[] places = new long[taps.count()];
    long[] origin = new long[2 + taps.tap.length];
    for (int k = 0; k < places.length; k++) {
      taps.moveTo(k, origin);
      places[k] = along(w, taps.tap);
    }
    return places;
  }

  /* Where each tap of an output position lies in a plane. */
  private void locate(long[] index) {
    for (int k = 0; k < atX.length; k++) {
      if (transposed) {
        taps.moveBack(k, index);
      } else {
        taps.moveTo(k, index);
      }
      inside[k] = taps.inside(x);
      atX[k] = inside[k] ? along(x, taps.at) : 0;
    }
  }

  private static long along(TensorView view, long[] place) {
    long offset = 0;
    for (int i = 0; i < place.length; i++) {
      offset += view.strides().along(2 + i, place[i]);
    }
    return offset;
  }

  private void add(Cursor cursor, long plane, long kernel) {
    if (x.element() == ElementType.F32) {
      cursor.real = floats((float) cursor.real, plane, kernel);
      return;
    }
    for (int k = 0; k < atX.length; k++) {
      if (inside[k] && x.element().isFloat()) {
        cursor.real += x.realAt(plane + atX[k]) * w.realAt(kernel + atW[k]);
      } else if (inside[k]) {
        cursor.whole += x.wholeAt(plane + atX[k]) * w.wholeAt(kernel + atW[k]);
      }
    }
  }

  private float floats(float before, long plane, long kernel) {
    float sum = before;
    for (int k = 0; k < atX.length; k++) {
      float seen = inside[k] ? x.floatAt(plane + atX[k]) : 0;
      sum = Math.fma(w.floatAt(kernel + atW[k]), seen, sum);
    }
    return sum;
  }
}
