package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A [FloatProgram] over views: computes stretches of an output in row-major order.
public final class FloatRunner {
  private final FloatProgram program;
  private final List<TensorView> views;
  private final TensorView output;
  private final Runs runs;
  private final float[][] registers;

  private FloatRunner(FloatProgram program, List<TensorView> views, TensorView output, Runs runs) {
    this.program = program;
    this.views = views;
    this.output = output;
    this.runs = runs;
    this.registers = Scratch.get().registers(program.registers());
    program.prepare(registers);
  }

  /// The runner over some views.
  ///
  /// @param views what argument `k` reads; the output's own view for an argument that is carried
  /// @return nothing if a view has a blocked axis
  public static Optional<FloatRunner> of(
      FloatProgram program, List<TensorView> views, TensorView output) {
    return Runs.of(views, program::reads, output)
        .map(runs -> new FloatRunner(program, views, output, runs));
  }

  /// Computes `count` elements from position `first` on.
  public void run(long first, long count) {
    run(first, count, null);
  }

  /// As [#run(long, long)], argument 0 being `carried[0…count−1]`.
  public void run(long first, long count, float @Nullable [] carried) {
    for (long done = 0; done < count; ) {
      long left = Math.min(count - done, runs.moveTo(first + done));
      int part = (int) Math.min(left, Scratch.COLUMNS);
      if (carried != null) {
        System.arraycopy(carried, (int) done, registers[0], 0, part);
      }
      for (int k = carried == null ? 0 : 1; k < views.size(); k++) {
        if (program.reads(k)) {
          load(k, part);
        }
      }
      store(program.run(registers, part), part);
      done += part;
    }
  }

  private void load(int k, int count) {
    TensorView view = views.get(k);
    long offset = runs.offsets[k];
    long step = runs.step(k);
    if (view.element() == ElementType.F32) {
      view.floats(offset, step, registers[k], 0, count);
    } else if (step == 0) {
      Arrays.fill(registers[k], 0, count, (float) view.wholeAt(offset));
    } else {
      for (int i = 0; i < count; i++) {
        registers[k][i] = view.wholeAt(offset + i * step);
      }
    }
  }

  private void store(float[] result, int count) {
    int last = views.size();
    long offset = runs.offsets[last];
    if (output.element() == ElementType.F32) {
      output.putFloats(offset, runs.step(last), result, 0, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      output.wholeAt(offset + i * runs.step(last), result[i] != 0 ? 1 : 0);
    }
  }
}
