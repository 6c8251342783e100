package io.miniinference.interp.fast;

import io.miniinference.interp.expr.WholeProgram;
import io.miniinference.interp.expr.WholeRunner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.plain.OpKernel;

/// An expression over integers, a stretch at a time. From a stretch on in which a divisor is zero,
/// the plain form goes on, and tells the places. What is ahead of it is done: the result may lie
/// where an operand did.
record FastWholes(WholeProgram program, OpKernel plain) implements OpKernel {

  @Override
  public void run(Task task) {
    long done =
        WholeRunner.of(program, task.operands(), task.output())
            .map(runner -> runner.run(task.first(), task.count()))
            .orElse(0L);
    if (done < task.count()) {
      plain.run(task.behind(done));
    }
  }
}
