package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.IndexTuples;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.layout.Movement;

/// Operators that move elements without computing, one element at a time.
final class PlainMoves {
  private PlainMoves() {}

  private static void read(TensorView view, long offset, Cursor into) {
    if (view.element().isFloat()) {
      into.real = view.realAt(offset);
    } else {
      into.whole = view.wholeAt(offset);
    }
  }

  static Producer view(Movement map, Task task) {
    TensorView x = task.operand(0);
    long[] index = new long[x.rank()];
    return switch (map) {
      case Movement.Reshape r -> c -> read(x, x.offsetAt(c.position()), c);
      case Movement.Transpose t ->
          c -> {
            for (int i = 0; i < index.length; i++) {
              index[t.permutation().get(i)] = c.index[i];
            }
            read(x, x.strides().offset(index), c);
          };
      case Movement.Slice s ->
          c -> {
            for (int i = 0; i < index.length; i++) {
              index[i] = s.starts().get(i).at(c.n) + c.index[i] * s.steps().get(i);
            }
            read(x, x.strides().offset(index), c);
          };
      case Movement.Expand e -> {
        Strides wide = x.strides().broadcast(task.output().shape());
        yield c -> read(x, wide.offset(c.index), c);
      }
    };
  }

  static Producer concat(int axis, Task task) {
    return c -> {
      long[] index = c.index.clone();
      int k = 0;
      while (index[axis] >= task.operand(k).dim(axis)) {
        index[axis] -= task.operand(k).dim(axis);
        k++;
      }
      TensorView x = task.operand(k);
      read(x, x.strides().offset(index), c);
    };
  }

  static Producer gather(IndexTuples.Factory factory, Task task) {
    TensorView data = task.operand(0);
    IndexTuples tuples = factory.bind(task);
    long[] place = new long[data.rank()];
    return c -> {
      if (tuples.locate(c.index, place)) {
        read(data, data.strides().offset(place), c);
      } else {
        c.real = 0;
        c.whole = 0;
      }
    };
  }
}
