package io.miniinference.interp.fast;

import io.miniinference.interp.memory.IndexTuples;
import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Movement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Operators that move elements without computing, a stretch at a time.
final class FastMoves {
  private FastMoves() {}

  static OpKernel view(Movement map, OpKernel plain) {
    return task -> {
      TensorView x = task.operand(0);
      Optional<Runs> runs =
          seen(map, x, task)
              .flatMap(s -> Runs.of(task.output().shape(), List.of(s, task.output().strides())));
      if (runs.isPresent()) {
        copy(x, runs.get(), task);
      } else {
        plain.run(task);
      }
    };
  }

  /// The strides through which the operand is the result.
  private static Optional<Strides> seen(Movement map, TensorView x, Task task) {
    Strides s = x.strides();
    long[] shape = task.output().shape();
    return switch (map) {
      case Movement.Reshape _ when x.isDense() -> Optional.of(Strides.dense(s.base(), shape));
      case Movement.Reshape _ -> Optional.empty();
      case Movement.Expand _ -> Optional.of(s.broadcast(shape));
      case Movement.Transpose t ->
          Optional.of(s.transpose(t.permutation().stream().mapToInt(i -> i).toArray()));
      case Movement.Slice _ when s.isBlocked() -> Optional.empty();
      case Movement.Slice slice -> {
        long[] starts = slice.starts().stream().mapToLong(a -> a.at(task.n())).toArray();
        long[] steps = slice.steps().stream().mapToLong(a -> a).toArray();
        yield Optional.of(s.slice(starts, steps, shape));
      }
    };
  }

  private static void copy(TensorView x, Runs runs, Task task) {
    for (long done = 0; done < task.count(); ) {
      long part = Math.min(task.count() - done, runs.moveTo(task.first() + done));
      long from = runs.offsets[0];
      long to = runs.offsets[1];
      if (runs.step(0) == 1 && runs.step(1) == 1) {
        task.output().copyElements(to, x, from, part);
      } else {
        for (long i = 0; i < part; i++) {
          task.output().copyElement(to + i * runs.step(1), x, from + i * runs.step(0));
        }
      }
      done += part;
    }
  }

  private static boolean allDense(Task task) {
    return task.output().isDense() && task.operands().stream().allMatch(TensorView::isDense);
  }

  private static long product(long[] shape, int from) {
    return Tensor.elements(Arrays.copyOfRange(shape, from, shape.length));
  }

  static OpKernel concat(int axis, OpKernel plain) {
    return task -> {
      if (!allDense(task)) {
        plain.run(task);
        return;
      }
      long inner = product(task.output().shape(), axis + 1);
      long slab = product(task.output().shape(), axis);
      long end = task.first() + task.count();
      for (long at = task.first(); at < end; ) {
        at += slabPart(task, at, end, at / slab, inner, at % slab, axis);
      }
    };
  }

  /// Copies what one operand gives from position `at` on.
  private static long slabPart(
      Task task, long at, long end, long slabNumber, long inner, long inSlab, int axis) {
    long rest = inSlab;
    int k = 0;
    while (rest >= task.operand(k).dim(axis) * inner) {
      rest -= task.operand(k).dim(axis) * inner;
      k++;
    }
    TensorView x = task.operand(k);
    long size = x.dim(axis) * inner;
    long part = Math.min(end - at, size - rest);
    long to = task.output().strides().base() + at;
    task.output().copyElements(to, x, x.strides().base() + slabNumber * size + rest, part);
    return part;
  }

  /// @param stretchAxes how many last axes of result and data are the same, with one tuple each
  static OpKernel gather(IndexTuples.Factory factory, int stretchAxes, OpKernel plain) {
    return task -> {
      if (stretchAxes > 0 && allDense(task)) {
        gather(factory.bind(task), stretchAxes, task);
      } else {
        plain.run(task);
      }
    };
  }

  private static void gather(IndexTuples tuples, int stretchAxes, Task task) {
    TensorView data = task.operand(0);
    TensorView output = task.output();
    long[] shape = output.shape();
    long stretch = product(shape, shape.length - stretchAxes);
    long[] place = new long[data.rank()];
    long end = task.first() + task.count();
    for (long at = task.first(); at < end; ) {
      long part = Math.min(end - at, stretch - at % stretch);
      long to = output.strides().base() + at;
      if (tuples.locate(Strides.indexAt(at, shape), place)) {
        output.copyElements(to, data, data.strides().offset(place), part);
      } else {
        output.clear(to, part);
      }
      at += part;
    }
  }
}
