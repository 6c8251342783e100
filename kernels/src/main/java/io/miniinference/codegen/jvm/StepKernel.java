package io.miniinference.codegen.jvm;

import io.miniinference.device.JvmKernel;
import io.miniinference.interp.NodeKernel;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Value;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A step of a lowered program as a kernel in Java: views of its arrays in the pool, handed to the
/// interpreter's kernel.
record StepKernel(LoweredStep step, NodeKernel kernel, List<Integer> blocks) implements JvmKernel {
  /// What a step that cannot fail reports to.
  private static final FailureSink NOBODY =
      new FailureSink() {
        @Override
        public void index(long row, long position, long index, long low, long high, int axis) {}

        @Override
        public void divisionByZero(long row, long position) {}
      };

  /// A kernel that takes the offsets of its inputs and outputs, of the failure slots if it can
  /// fail, the clock if it is told, and the offsets of its conditions.
  static StepKernel of(LoweredStep step, NodeKernel kernel, LoweredProgram program) {
    List<Integer> blocks = new ArrayList<>();
    step.inputs().forEach(array -> blocks.add(array.block().id()));
    step.outputs().forEach(array -> blocks.add(array.block().id()));
    if (step.failure() != null) {
      blocks.add(program.failureSlotsId());
      if (step.failure().timed()) {
        blocks.add(program.clockId());
      }
    }
    step.guards().forEach(guard -> blocks.add(guard.condition().block().id()));
    return new StepKernel(step, kernel, List.copyOf(blocks));
  }

  @Override
  public void run(MemorySegment pool, int n, long first, long count, long[] offsets) {
    if (n < 0 || !isWanted(pool, n, offsets)) {
      return;
    }
    List<TensorView> inputs = new ArrayList<>(step.inputs().size());
    for (int i = 0; i < step.inputs().size(); i++) {
      Value value = step.node().inputs().get(i);
      inputs.add(TensorView.of(pool, offsets[i], value.type().element(), index(i), n));
    }
    int last = step.inputs().size();
    List<TensorView> outputs = new ArrayList<>(step.outputs().size());
    for (int i = 0; i < step.outputs().size(); i++) {
      Value value = step.node().outputs().get(i);
      outputs.add(view(pool, n, offsets[last + i], step.outputs().get(i), value));
    }
    kernel.run(inputs, outputs, n, first, count, sink(pool, offsets));
  }

  private IndexFunction index(int input) {
    if (input < step.packed().size() && step.packed().get(input)) {
      return JvmPacking.of(step.node(), input)
          .orElseThrow()
          .index(step.node().inputs().get(input).type().shape());
    }
    return step.inputs().get(input).index();
  }

  /* The conditions' offsets are the last. */
  private boolean isWanted(MemorySegment pool, int n, long[] offsets) {
    int first = offsets.length - step.guards().size();
    for (int i = 0; i < step.guards().size(); i++) {
      LoweredStep.Guard guard = step.guards().get(i);
      long at = offsets[first + i] + guard.condition().index().offset().at(n);
      if (pool.get(ValueLayout.JAVA_BYTE, at) != 0 != guard.wanted()) {
        return false;
      }
    }
    return true;
  }

  private static TensorView view(MemorySegment pool, int n, long offset, Array array, Value value) {
    return TensorView.of(pool, offset, value.type().element(), array.index(), n);
  }

  private FailureSink sink(MemorySegment pool, long[] offsets) {
    FailurePoint failure = step.failure();
    if (failure == null) {
      return NOBODY;
    }
    int slots = step.inputs().size() + step.outputs().size();
    long clock = failure.timed() ? offsets[slots + 1] : SlotSink.NO_CLOCK;
    return new SlotSink(failure, pool, offsets[slots], clock);
  }
}
