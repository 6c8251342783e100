package io.miniinference.interp;

import io.miniinference.ir.Op;
import io.miniinference.ir.ViewMap;

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

  static Producer view(ViewMap map, Task task) {
    TensorView x = task.operand(0);
    long[] index = new long[x.rank()];
    return switch (map) {
      case ViewMap.Reshape r -> c -> read(x, x.offsetAt(c.position()), c);
      case ViewMap.Transpose t ->
          c -> {
            for (int i = 0; i < index.length; i++) {
              index[t.permutation().get(i)] = c.index[i];
            }
            read(x, x.strides().offset(index), c);
          };
      case ViewMap.Slice s ->
          c -> {
            for (int i = 0; i < index.length; i++) {
              index[i] = s.starts().get(i).at(c.n) + c.index[i] * s.steps().get(i);
            }
            read(x, x.strides().offset(index), c);
          };
      case ViewMap.Expand e -> {
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

  /// @param batchRows whether axis 0 of the indices is the batch
  static Producer gather(Op.Gather op, boolean batchRows, Task task) {
    TensorView data = task.operand(0);
    GatherIndices indices = new GatherIndices(task, op.axis(), batchRows);
    long[] at = new long[data.rank()];
    long[] where = new long[indices.rank()];
    return c -> {
      System.arraycopy(c.index, op.axis(), where, 0, where.length);
      long index = indices.at(where);
      if (index < 0) {
        c.real = 0;
        c.whole = 0;
        return;
      }
      System.arraycopy(c.index, 0, at, 0, op.axis());
      at[op.axis()] = index;
      int rest = at.length - op.axis() - 1;
      System.arraycopy(c.index, op.axis() + where.length, at, op.axis() + 1, rest);
      read(data, data.strides().offset(at), c);
    };
  }
}
