package io.miniinference.interp.fast;

import io.miniinference.interp.expr.MixedProgram;
import io.miniinference.interp.expr.MixedRunner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.plain.OpKernel;

/// An expression over numbers of several types or at other indices than its own, a stretch at a
/// time. From a stretch on in which an element has no value, the plain form goes on, and tells
/// which. What is ahead of it is done: the result may lie where an operand did.
record FastMixed(MixedProgram program, OpKernel plain) implements OpKernel {

  @Override
  public void run(Task task) {
    long done =
        MixedRunner.of(program, task)
            .map(runner -> runner.run(task.first(), task.count()))
            .orElse(0L);
    if (done < task.count()) {
      plain.run(task.behind(done));
    }
  }
}
