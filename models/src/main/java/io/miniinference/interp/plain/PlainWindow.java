package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Combiner;
import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Taps;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;

/// Pooling, one output element at a time. Sums of `F32` are rounded after each tap.
final class PlainWindow implements Producer {
  private final PoolKind kind;
  private final TensorView x;
  private final Taps taps;
  private final Combiner combiner;
  private final long[] index;

  PlainWindow(Op.WindowReduce op, Task task) {
    kind = op.kind();
    x = task.operand(0);
    taps = new Taps(op.window());
    combiner = new Combiner(kind == PoolKind.MAX ? ReduceKind.MAX : ReduceKind.SUM, x.element());
    index = new long[x.rank()];
  }

  @Override
  public void produce(Cursor cursor) {
    combiner.reset();
    index[0] = cursor.index[0];
    index[1] = cursor.index[1];
    long inside = 0;
    long padded = 0;
    int count = taps.count();
    for (int k = 0; k < count; k++) {
      taps.moveTo(k, cursor.index);
      padded += taps.insidePadding(x) ? 1 : 0;
      if (taps.inside(x)) {
        inside++;
        add();
      }
    }
    combiner.into(cursor);
    divide(cursor, inside, padded);
  }

  private void add() {
    System.arraycopy(taps.at, 0, index, 2, taps.at.length);
    long offset = x.strides().offset(index);
    if (x.element().isFloat()) {
      combiner.add(x.realAt(offset), 0);
      combiner.real = x.element() == ElementType.F32 ? (float) combiner.real : combiner.real;
    } else {
      combiner.add(x.wholeAt(offset), 0);
    }
  }

  private void divide(Cursor cursor, long inside, long padded) {
    switch (kind) {
      case MAX, SUM -> {}
      case AVERAGE -> divide(cursor, inside);
      case AVERAGE_WITH_PADDING -> divide(cursor, padded);
    }
  }

  private void divide(Cursor cursor, long by) {
    cursor.real /= by;
    if (by != 0 && x.element() != ElementType.BOOL) {
      cursor.whole /= by;
    }
  }
}
