package io.miniinference.interp.fast;

import io.miniinference.interp.expr.WholeProgram;
import io.miniinference.interp.expr.WholeRunner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.plain.OpKernel;
import java.util.Optional;

/// An expression over integers, a stretch at a time. Where a divisor is zero, the plain form goes
/// through all again and tells the places.
record FastWholes(WholeProgram program, OpKernel plain) implements OpKernel {

  @Override
  public void run(Task task) {
    Optional<WholeRunner> runner = WholeRunner.of(program, task.operands(), task.output());
    if (runner.isEmpty() || !runner.get().run(task.first(), task.count())) {
      plain.run(task);
    }
  }
}
