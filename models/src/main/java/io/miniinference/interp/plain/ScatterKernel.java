package io.miniinference.interp.plain;

import io.miniinference.interp.expr.RealMath;
import io.miniinference.interp.expr.WholeMath;
import io.miniinference.interp.memory.IndexTuples;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import java.util.List;
import java.util.stream.IntStream;

/// Scatter: a work item is a line of the data across all indexed axes, which belongs to it alone.
/// It copies its line, unless the result lies where the data does, and takes the updates that may
/// fall on it in their order.
public record ScatterKernel(IndexTuples.Factory tuples, Combination combination)
    implements OpKernel {

  static ScatterKernel of(Node node, Op.Scatter op) {
    ElementType element = node.output().type().element();
    return new ScatterKernel(
        IndexTuples.Factory.of(node, op.selection(), IndexBounds.EITHER_END),
        combination(op.kind(), element));
  }

  /// The axes of the data on which components of index tuples are places.
  public static List<Integer> indexedAxes(Node node, Op.Scatter op) {
    return indexedAxes(
        IndexTuples.Factory.of(node, op.selection(), IndexBounds.EITHER_END).addressing());
  }

  private static List<Integer> indexedAxes(Addressing addressing) {
    return IntStream.range(0, addressing.tupleLength()).mapToObj(addressing::dataAxis).toList();
  }

  /// Combines an element of the result with an update.
  @FunctionalInterface
  private interface Combination {
    void combine(TensorView result, long at, TensorView updates, long from);
  }

  private static Combination combination(Op.ScatterKind kind, ElementType type) {
    if (!(kind.combine() instanceof Expr.Binary(Expr.BinaryOp op, Expr _, Expr _))) {
      return TensorView::copyElement;
    }
    if (type.isFloat()) {
      var f = RealMath.binary(op);
      return (y, at, u, from) ->
          y.realAt(at, Numbers.round(type, f.applyAsDouble(y.realAt(at), u.realAt(from))));
    }
    var f = WholeMath.binary(op, type);
    return (y, at, u, from) ->
        y.wholeAt(at, Numbers.wrap(type, f.applyAsLong(y.wholeAt(at), u.wholeAt(from))));
  }

  @Override
  public void run(Task task) {
    Lines lines = new Lines(task);
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; item += lines.width) {
      lines.moveTo(item, end);
      if (!task.output().isSameMemory(task.operand(0))) {
        lines.copy();
      }
      lines.update();
    }
  }

  /// A line, or neighbouring ones that have their tuples in common.
  private final class Lines {
    private final TensorView data;
    private final TensorView updates;
    private final TensorView output;
    private final IndexTuples bound;
    private final List<Integer> kept;
    private final List<Integer> indexed;
    private final List<Integer> keptMoved;
    private final List<Integer> taken;
    private final boolean widens;
    private final long[] place;
    private final long[] moved;
    private long width;

    Lines(Task task) {
      Addressing addressing = tuples.addressing();
      data = task.operand(0);
      updates = task.operand(2);
      output = task.output();
      bound = tuples.bind(task);
      indexed = indexedAxes(addressing);
      kept = IntStream.range(0, data.rank()).boxed().filter(a -> !indexed.contains(a)).toList();
      keptMoved = kept.stream().map(addressing::movedAxis).toList();
      taken =
          IntStream.range(0, updates.rank()).boxed().filter(a -> !addressing.isKept(a)).toList();
      widens =
          kept.contains(data.rank() - 1)
              && addressing.sharesTuple(addressing.movedAxis(data.rank() - 1));
      place = new long[data.rank()];
      moved = new long[updates.rank()];
    }

    /// To the line of an item, and as many after it, before `end`, as it shares tuples with.
    void moveTo(long item, long end) {
      decode(item, data, kept, place);
      for (int i = 0; i < kept.size(); i++) {
        moved[keptMoved.get(i)] = place[kept.get(i)];
      }
      int last = data.rank() - 1;
      width = widens ? Math.min(end - item, data.dim(last) - place[last]) : 1;
    }

    void copy() {
      long count = elements(data, indexed);
      for (long i = 0; i < count; i++) {
        decode(i, data, indexed, place);
        each(output, place, data, place, TensorView::copyElement);
      }
    }

    void update() {
      boolean isReached = keptMoved.stream().allMatch(a -> moved[a] < updates.dim(a));
      long count = isReached ? elements(updates, taken) : 0;
      for (long i = 0; i < count; i++) {
        decode(i, updates, taken, moved);
        if (bound.locate(moved, place)) {
          each(output, place, updates, moved, combination);
        }
      }
    }

    private void each(
        TensorView target, long[] to, TensorView source, long[] from, Combination combination) {
      long at = target.offset(to);
      long of = source.offset(from);
      combination.combine(target, at, source, of);
      for (long i = 1; i < width; i++) {
        long there = at + alongLast(target, to, i);
        combination.combine(target, there, source, of + alongLast(source, from, i));
      }
    }

    private static long alongLast(TensorView view, long[] index, long by) {
      int last = index.length - 1;
      Strides s = view.strides();
      return s.along(last, index[last] + by) - s.along(last, index[last]);
    }
  }

  private static long elements(TensorView view, List<Integer> axes) {
    return axes.stream().mapToLong(view::dim).reduce(1, (a, b) -> a * b);
  }

  /* Puts the coordinates on some axes of the element with that number, in row-major order. */
  private static void decode(long number, TensorView view, List<Integer> axes, long[] into) {
    long rest = number;
    for (int i = axes.size() - 1; i >= 0; i--) {
      long extent = view.dim(axes.get(i));
      into[axes.get(i)] = rest % extent;
      rest /= extent;
    }
  }
}
