package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A [MixedProgram] over views: computes stretches of an output in row-major order.
public final class MixedRunner {
  /* Elements for which tables of an axis are kept at most, unless it is an inner one. */
  private static final long PIECE = 1 << 16;

  private final MixedProgram program;
  private final Frame frame;
  private final TensorView output;
  private final Runs runs;
  private final long n;
  private final List<AxisTables> tables = new ArrayList<>();

  private MixedRunner(MixedProgram program, Task task, Runs runs) {
    this.program = program;
    this.output = task.output();
    this.runs = runs;
    this.n = task.n();
    Scratch scratch = Scratch.get();
    frame =
        new Frame(
            scratch.registers(program.floats()), scratch.wholes(program.wholes()), task.operands());
    addTables(output.shape(), task.count());
  }

  private void addTables(long[] shape, long elements) {
    long inner = 1;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      var own = new AxisTables(program, frame, axis, shape[axis], inner, elements);
      if (!own.areNone()) {
        tables.add(own);
      }
      inner *= shape[axis];
    }
  }

  /// The runner over a task's views.
  ///
  /// @return nothing if a view has a blocked axis, or nothing could be read at any coordinate
  public static Optional<MixedRunner> of(MixedProgram program, Task task) {
    List<TensorView> views = task.operands();
    for (int k = 0; k < views.size(); k++) {
      TensorView view = views.get(k);
      if (program.sampled()[k] && (view.elements() == 0 || view.strides().isBlocked())) {
        return Optional.empty();
      }
    }
    return Runs.of(views, program::reads, task.output())
        .map(runs -> new MixedRunner(program, task, runs));
  }

  /// Computes `count` elements from position `first` on, or those ahead of a stretch that has one
  /// without a value, as a quotient by zero. What is behind them is as it was, and not reported.
  ///
  /// @return how many were computed
  public long run(long first, long count) {
    long last = first + count;
    if (count == 0 || !program.prepare(frame, n, Scratch.COLUMNS)) {
      return 0;
    }
    for (long at = first; at < last; ) {
      long end = pieceEnd(at, last);
      long done = piece(at, end);
      at += done;
      if (at < end) {
        return at - first;
      }
    }
    return count;
  }

  /* Of an axis whose indices take longer than a piece to come again, it has those of one range. */
  private long pieceEnd(long at, long last) {
    long end = Math.min(last, at + PIECE);
    for (int t = 0; t < tables.size(); t++) {
      long period = tables.get(t).period();
      if (period > PIECE) {
        end = Math.min(end, (at / period + 1) * period);
      }
    }
    return end;
  }

  private long piece(long first, long end) {
    for (int t = 0; t < tables.size(); t++) {
      if (!tables.get(t).cover(first, end)) {
        return 0;
      }
    }
    for (long at = first; at < end; ) {
      int part = (int) Math.min(Math.min(end - at, runs.moveTo(at)), Scratch.COLUMNS);
      load(at, part);
      if (!program.run(MixedProgram.every(program.rank()), frame, part)) {
        return at - first;
      }
      store(part);
      at += part;
    }
    return end - first;
  }

  private void load(long position, int count) {
    for (int t = 0; t < tables.size(); t++) {
      tables.get(t).spread(position, count);
    }
    for (int k = 0; k < program.arguments().length; k++) {
      if (program.reads(k)) {
        argument(k, count);
      }
    }
  }

  private void argument(int k, int count) {
    TensorView view = frame.views().get(k);
    int to = program.arguments()[k];
    long offset = runs.offsets[k];
    long step = runs.step(k);
    switch (view.element()) {
      case F32 -> view.floats(offset, step, frame.floats()[to], 0, count);
      case F16, BF16 -> {
        for (int i = 0; i < count; i++) {
          frame.floats()[to][i] = (float) view.realAt(offset + i * step);
        }
      }
      default -> view.wholes(offset, step, frame.wholes()[to], count);
    }
  }

  private void store(int count) {
    int views = frame.views().size();
    long offset = runs.offsets[views];
    long step = runs.step(views);
    int from = program.result().number();
    switch (output.element()) {
      case F32 -> output.putFloats(offset, step, frame.floats()[from], 0, count);
      case F16, BF16 -> {
        for (int i = 0; i < count; i++) {
          output.realAt(offset + i * step, frame.floats()[from][i]);
        }
      }
      default -> output.putWholes(offset, step, frame.wholes()[from], count);
    }
  }
}
