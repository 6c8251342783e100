package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Lift;
import io.miniinference.interp.memory.Scratch;
import java.util.ArrayList;
import java.util.List;

/// What a [MixedProgram] computes from the index along one axis alone, for a range of its indices,
/// and spread from there over elements in row-major order. Where the indices of a small axis come
/// again and again, tables have them so often that one copy gives a whole stretch.
final class AxisTables {
  private final MixedProgram program;
  private final Frame frame;
  private final int axis;
  private final long extent;
  private final long inner;
  private final boolean tiled;
  private final List<AxisTable> tables = new ArrayList<>();
  private long first;
  private long end;

  /// @param inner elements of the output between neighbours along the axis
  /// @param elements of the output that are asked for
  AxisTables(MixedProgram program, Frame frame, int axis, long extent, long inner, long elements) {
    this.program = program;
    this.frame = frame;
    this.axis = axis;
    this.extent = extent;
    this.inner = inner;
    this.tiled = period() <= Scratch.COLUMNS && elements > Scratch.COLUMNS;
    for (Lift lift : program.lifts()) {
      if (lift.from().level() == axis) {
        tables.add(AxisTable.of(lift, frame));
      }
    }
  }

  boolean areNone() {
    return tables.isEmpty();
  }

  /// Elements after which the indices along the axis come again.
  long period() {
    return inner * extent;
  }

  /// Computes what the elements ahead of position `to` need from `from` on, which are of one period
  /// or of whole ones.
  ///
  /// @return whether all of it has a value
  boolean cover(long from, long to) {
    boolean one = !tiled && to - from < period() && from / period() == (to - 1) / period();
    long low = one ? from / inner % extent : 0;
    long high = one ? (to - 1) / inner % extent + 1 : extent;
    return (first <= low && high <= end) || fill(low, high);
  }

  private boolean fill(long low, long high) {
    first = low;
    end = high;
    tables.forEach(t -> t.grow((int) (high - low)));
    for (long at = low; at < high; at += Scratch.COLUMNS) {
      int count = (int) Math.min(Scratch.COLUMNS, high - at);
      start(at, count);
      if (!program.run(axis, frame, count)) {
        return false;
      }
      for (int t = 0; t < tables.size(); t++) {
        tables.get(t).take((int) (at - low), count);
      }
    }
    if (tiled) {
      tables.forEach(t -> t.tile((int) inner, (int) extent));
    }
    return true;
  }

  private void start(long from, int count) {
    long[] index = frame.wholes()[program.indices()[axis]];
    for (int i = 0; i < count; i++) {
      index[i] = from + i;
    }
  }

  /// Sets the registers of `count` elements from a position on.
  void spread(long position, int count) {
    for (int t = 0; t < tables.size(); t++) {
      if (tiled) {
        tables.get(t).copy((int) (position % period()), 0, count);
      } else if (inner == 1) {
        copy(tables.get(t), position, count);
      } else {
        repeat(tables.get(t), position, count);
      }
    }
  }

  private void copy(AxisTable table, long position, int count) {
    long index = position % extent;
    for (int done = 0; done < count; ) {
      int part = (int) Math.min(count - done, extent - index);
      table.copy((int) (index - first), done, part);
      done += part;
      index = 0;
    }
  }

  private void repeat(AxisTable table, long position, int count) {
    long index = position / inner % extent;
    long left = inner - position % inner;
    for (int done = 0; done < count; ) {
      int part = (int) Math.min(count - done, left);
      table.repeat((int) (index - first), done, part);
      done += part;
      left = inner;
      index = index + 1 == extent ? 0 : index + 1;
    }
  }
}
