package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Code;
import io.miniinference.interp.expr.Combiner;
import io.miniinference.interp.expr.ExprCompiler;
import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import java.util.List;

/// A reduction, one output element at a time. Sums of floats are [PartialSums].
final class PlainReduce implements Producer {
  private final TensorView operand;
  private final Code map;
  private final Combiner combiner;
  private final PartialSums sums = new PartialSums();
  private final boolean addsFloats;
  private final boolean keepDims;
  private final boolean[] reduced;
  private final Cursor inner;

  private PlainReduce(Op.Reduce op, Code map, Task task) {
    this.operand = task.operand(0);
    this.map = map;
    this.combiner = new Combiner(op.kind(), map.type());
    this.addsFloats = op.kind() == ReduceKind.SUM && map.type().isFloat();
    this.keepDims = op.keepDims();
    this.reduced = new boolean[operand.rank()];
    op.axes().forEach(axis -> reduced[axis] = true);
    this.inner = new Cursor(task.n(), operand.shape(), List.of(), new boolean[0]);
  }

  static Factory of(Op.Reduce op, Code map) {
    return task -> new PlainReduce(op, map, task);
  }

  /// The map over the operand's elements.
  static Code map(Expr map, io.miniinference.ir.ElementType type) {
    return ExprCompiler.overValue(map, List.of(type)).code();
  }

  @Override
  public void produce(Cursor cursor) {
    int from = 0;
    for (int axis = 0; axis < reduced.length; axis++) {
      inner.index[axis] = reduced[axis] ? 0 : cursor.index[keepDims ? axis : from];
      from += reduced[axis] ? 0 : 1;
    }
    combiner.reset();
    sums.reset();
    if (!isEmpty()) {
      do {
        add();
      } while (advance());
    }
    combiner.into(cursor);
    cursor.real = addsFloats ? sums.total() : cursor.real;
  }

  private boolean isEmpty() {
    for (int axis = 0; axis < reduced.length; axis++) {
      if (reduced[axis] && inner.shape[axis] == 0) {
        return true;
      }
    }
    return false;
  }

  private void add() {
    long offset = operand.strides().offset(inner.index);
    if (operand.element().isFloat()) {
      inner.real = operand.realAt(offset);
    } else {
      inner.whole = operand.wholeAt(offset);
    }
    switch (map) {
      case Code.Real r when addsFloats -> sums.add(r.at().at(inner));
      case Code.Real r -> combiner.add(r.at().at(inner), place());
      case Code.Whole w -> combiner.add(w.at().at(inner), place());
    }
  }

  private long place() {
    long place = 0;
    for (int axis = 0; axis < reduced.length; axis++) {
      if (reduced[axis]) {
        place = place * inner.shape[axis] + inner.index[axis];
      }
    }
    return place;
  }

  private boolean advance() {
    for (int axis = reduced.length - 1; axis >= 0; axis--) {
      if (!reduced[axis]) {
        continue;
      }
      if (++inner.index[axis] < inner.shape[axis]) {
        return true;
      }
      inner.index[axis] = 0;
    }
    return false;
  }
}
