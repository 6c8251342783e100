package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import java.util.Arrays;

/// A recurrent layer: a work item is a row of the batch, which it takes through all steps.
record RecurrentKernel(Op.Recurrent op, RecurrentFormulas formulas) implements OpKernel {

  @Override
  public void run(Task task) {
    RecurrentState state = new RecurrentState(op, formulas, task);
    for (long row = task.first(); row < task.first() + task.count(); row++) {
      run(task, row, state);
    }
  }

  private void run(Task task, long row, RecurrentState state) {
    TensorView x = task.operand(0);
    long steps = x.dim(0);
    long length = length(task, row, steps);
    begin(task, row, state);
    for (long step = 0; step < steps; step++) {
      boolean runs = step < length;
      long place = runs && op.backwards() ? length - 1 - step : step;
      if (runs) {
        state.step(x, place, row);
      }
      store(task, Op.Recurrent.Part.STATES, place, row, runs ? state.hidden : state.none);
    }
    store(task, Op.Recurrent.Part.HIDDEN, 0, row, state.hidden);
    store(task, Op.Recurrent.Part.CELL, 0, row, state.cell);
  }

  private long length(Task task, long row, long steps) {
    int place = op.place(Given.LENGTHS);
    if (place < 0) {
      return steps;
    }
    TensorView lengths = task.operand(place);
    return Math.clamp(lengths.wholeAt(lengths.offset(0, row, 0)), 0L, steps);
  }

  private void begin(Task task, long row, RecurrentState state) {
    begin(task, Given.HIDDEN, row, state.hidden);
    begin(task, Given.CELL, row, state.cell);
  }

  private void begin(Task task, Given given, long row, double[] state) {
    int place = op.place(given);
    if (place < 0) {
      Arrays.fill(state, 0);
      return;
    }
    TensorView initial = task.operand(place);
    for (int j = 0; j < state.length; j++) {
      state[j] = initial.realAt(initial.offset(0, row, j));
    }
  }

  private void store(Task task, Op.Recurrent.Part part, long step, long row, double[] values) {
    int result = op.parts().indexOf(part);
    if (result < 0) {
      return;
    }
    TensorView y = task.outputs().get(result);
    long at = y.offset(step, row, 0);
    for (int j = 0; j < values.length; j++) {
      y.realAt(at + y.strides().along(2, j), values[j]);
    }
  }
}
