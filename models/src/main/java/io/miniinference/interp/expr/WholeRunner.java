package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    long[] shape = output.shape();
    if (program.readsIndex() && shape.length != 1) {
      return Optional.empty();
    }
    List<@Nullable Strides> strides = new ArrayList<>();
    for (int k = 0; k < views.size(); k++) {
      strides.add(program.reads(k) ? views.get(k).strides().broadcast(shape) : null);
    }
    strides.add(output.strides());
    return Runs.of(shape, strides).map(runs -> new WholeRunner(program, views, output, runs));
  }

  /// Computes `count` elements from position `first` on.
  ///
  /// @return whether each has a value, which a quotient by zero has not; none was reported
  public boolean run(long first, long count) {
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
        return false;
      }
      store(program.result(registers), part);
      done += part;
    }
    return true;
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
