package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Op;

/// TopK: a work item is a row. It goes over the row once with a heap of the best `k` so far, whose
/// worst lies on top (J. W. J. Williams, Algorithm 232: Heapsort, 1964), and empties the heap from
/// the worst on.
record TopKKernel(Op.TopK op) implements OpKernel {

  @Override
  public void run(Task task) {
    TensorView x = task.operand(0);
    Lines rows = new Lines(x.shape(), op.rowAxes());
    Best best = new Best(Math.toIntExact(op.k()));
    for (long item = task.first(); item < task.first() + task.count() && op.k() > 0; item++) {
      long[] start = rows.start(item);
      select(x, start, best);
      for (int part = 0; part < op.parts().size(); part++) {
        store(op.parts().get(part), x, task.outputs().get(part), start, best);
      }
    }
  }

  private void select(TensorView x, long[] start, Best best) {
    Strides strides = x.strides();
    long base = strides.offset(start);
    int length = Math.toIntExact(x.dim(op.axis()));
    best.clear();
    for (int place = 0; place < length; place++) {
      best.offer(rank(x, base + strides.along(op.axis(), place)), place);
    }
    best.sort();
  }

  private void store(Op.TopK.Part part, TensorView x, TensorView y, long[] start, Best best) {
    long from = x.strides().offset(start);
    long to = y.strides().offset(start);
    for (int i = 0; i < best.places.length; i++) {
      long at = to + y.strides().along(op.axis(), i);
      switch (part) {
        case VALUES -> y.copyElement(at, x, from + x.strides().along(op.axis(), best.places[i]));
        case INDICES -> y.wholeAt(at, best.places[i]);
      }
    }
  }

  /* A number that is smaller the earlier an element comes, whatever its type. */
  private long rank(TensorView x, long offset) {
    long ascending =
        switch (x.element()) {
          case F32, F64, F16, BF16 -> rank(x.realAt(offset));
          case U64 -> x.wholeAt(offset) ^ Long.MIN_VALUE;
          case I8, I16, I32, I64, U8, U16, U32, BOOL -> x.wholeAt(offset);
        };
    return op.largest() ? ~ascending : ascending;
  }

  /* The sum turns −0 into 0, and the canonical NaN has more bits than infinity. */
  private static long rank(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  /// The elements of lowest rank, those at lower places first.
  private static final class Best {
    final int[] places;
    private final long[] ranks;
    private int count;

    Best(int k) {
      places = new int[k];
      ranks = new long[k];
    }

    void clear() {
      count = 0;
    }

    /// Takes an element at a later place than all before it.
    void offer(long rank, int place) {
      if (count < ranks.length) {
        rise(count++, rank, place);
      } else if (rank < ranks[0]) {
        sink(count, rank, place);
      }
    }

    /// Puts the best first.
    void sort() {
      for (int last = count - 1; last > 0; last--) {
        long rank = ranks[last];
        int place = places[last];
        ranks[last] = ranks[0];
        places[last] = places[0];
        sink(last, rank, place);
      }
    }

    private void rise(int from, long rank, int place) {
      int at = from;
      while (at > 0 && isWorse(rank, place, (at - 1) / 2)) {
        move((at - 1) / 2, at);
        at = (at - 1) / 2;
      }
      ranks[at] = rank;
      places[at] = place;
    }

    private void sink(int size, long rank, int place) {
      int at = 0;
      for (int child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && isWorse(ranks[child + 1], places[child + 1], child)) {
          child++;
        }
        if (isWorse(rank, place, child)) {
          break;
        }
        move(child, at);
        at = child;
      }
      ranks[at] = rank;
      places[at] = place;
    }

    private boolean isWorse(long rank, int place, int than) {
      return rank > ranks[than] || (rank == ranks[than] && place > places[than]);
    }

    private void move(int from, int to) {
      ranks[to] = ranks[from];
      places[to] = places[from];
    }
  }
}
