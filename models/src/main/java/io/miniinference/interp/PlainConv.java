package io.miniinference.interp;

import io.miniinference.ir.Op;
import io.miniinference.ir.Window;

/// Convolution and transposed convolution, one element at a time; sums of floats in double
/// precision.
final class PlainConv implements Producer {
  private final TensorView x;
  private final TensorView w;
  private final Taps taps;
  private final boolean transposed;
  private final long inputsPerGroup;
  private final long outputsPerGroup;
  private final long[] indexX;
  private final long[] indexW;

  private PlainConv(Window window, int groups, boolean transposed, Task task) {
    this.x = task.operand(0);
    this.w = task.operand(1);
    this.taps = new Taps(window);
    this.transposed = transposed;
    this.inputsPerGroup = x.dim(1) / groups;
    this.outputsPerGroup = task.output().dim(1) / groups;
    this.indexX = new long[x.rank()];
    this.indexW = new long[x.rank()];
  }

  static Producer forward(Op.Conv op, Task task) {
    return new PlainConv(op.window(), op.groups(), false, task);
  }

  static Producer transposed(Op.ConvTranspose op, Task task) {
    return new PlainConv(op.window(), op.groups(), true, task);
  }

  @Override
  public void produce(Cursor cursor) {
    cursor.real = 0;
    cursor.whole = 0;
    int count = taps.count();
    for (int k = 0; k < count; k++) {
      if (transposed) {
        taps.moveBack(k, cursor.index);
      } else {
        taps.moveTo(k, cursor.index);
      }
      if (taps.inside(x)) {
        System.arraycopy(taps.at, 0, indexX, 2, taps.at.length);
        System.arraycopy(taps.tap, 0, indexW, 2, taps.tap.length);
        channels(cursor);
      }
    }
  }

  private void channels(Cursor cursor) {
    long m = cursor.index[1];
    long group = m / outputsPerGroup;
    indexX[0] = cursor.index[0];
    for (long c = 0; c < inputsPerGroup; c++) {
      indexX[1] = group * inputsPerGroup + c;
      indexW[0] = transposed ? indexX[1] : m;
      indexW[1] = transposed ? m % outputsPerGroup : c;
      long atX = x.strides().offset(indexX);
      long atW = w.strides().offset(indexW);
      if (x.element().isFloat()) {
        cursor.real += x.realAt(atX) * w.realAt(atW);
      } else {
        cursor.whole += x.wholeAt(atX) * w.wholeAt(atW);
      }
    }
  }
}
