package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.TensorView;
import java.util.List;
import java.util.Optional;

/// A [WholeProgram] over views: computes stretches of an output in row-major order.
public final class WholeRunner {
  private final WholeProgram program;
  private final List<TensorView> views;
  private final TensorView output;
  private final Runs runs;
  private final long[][] registers;

  private WholeRunner(WholeProgram program, List<TensorView> views, TensorView output, Runs runs) {
    this.program = program;
    this.views = views;
    this.output = output;
    this.runs = runs;
    this.registers = Scratch.get().wholes(program.registers());
    program.prepare(registers);
  }

  /// The runner over some views.
  ///
  /// @param views what argument `k` reads
  /// @return nothing if a view has a blocked axis, or the index has several
  public static Optional<WholeRunner> of(
      WholeProgram program, List<TensorView> views, TensorView output) {
    if (program.readsIndex() && output.rank() != 1) {
      return Optional.empty();
    }
    return Runs.of(views, program::reads, output)
        .map(runs -> new WholeRunner(program, views, output, runs));
  }

  /// Computes `count` elements from position `first` on, or those ahead of a stretch that has one
  /// without a value, as a quotient by zero. What is behind them is as it was, and not reported.
  ///
  /// @return how many were computed
  public long run(long first, long count) {
    for (long done = 0; done < count; ) {
      long left = Math.min(count - done, runs.moveTo(first + done));
      int part = (int) Math.min(left, Scratch.COLUMNS);
      program.start(registers, first + done, part);
      for (int k = 0; k < views.size(); k++) {
        if (program.reads(k)) {
          views.get(k).wholes(runs.offsets[k], runs.step(k), registers[k], part);
        }
      }
      if (!program.run(registers, part)) {
        return done;
      }
      store(program.result(registers), part);
      done += part;
    }
    return count;
  }

  private void store(long[] result, int count) {
    int last = views.size();
    long offset = runs.offsets[last];
    long step = runs.step(last);
    if (!output.element().isFloat()) {
      output.putWholes(offset, step, result, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      output.floatAt(offset + i * step, Numbers.toFloat(program.type(), result[i]));
    }
  }
}
