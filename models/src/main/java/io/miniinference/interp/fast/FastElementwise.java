package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatProgram;
import io.miniinference.interp.expr.FloatRunner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.plain.OpKernel;
import java.util.Optional;

/// An expression over floats, a stretch at a time.
record FastElementwise(FloatProgram program, OpKernel plain) implements OpKernel {

  @Override
  public void run(Task task) {
    Optional<FloatRunner> runner = FloatRunner.of(program, task.operands(), task.output());
    if (runner.isPresent()) {
      runner.get().run(task.first(), task.count());
    } else {
      plain.run(task);
    }
  }
}
