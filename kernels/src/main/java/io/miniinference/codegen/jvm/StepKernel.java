package io.miniinference.codegen.jvm;

import io.miniinference.device.JvmKernel;
import io.miniinference.interp.FailureSink;
import io.miniinference.interp.NodeKernel;
import io.miniinference.interp.TensorView;
import io.miniinference.ir.Value;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.lang.foreign.MemorySegment;
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

  /// @param failures entry of the failure slots' offset, the last that the kernel takes if it can
  ///   fail
  static StepKernel of(LoweredStep step, NodeKernel kernel, int failures) {
    List<Integer> blocks = new ArrayList<>();
    step.inputs().forEach(array -> blocks.add(array.block().id()));
    blocks.add(step.output().block().id());
    if (step.failure() != null) {
      blocks.add(failures);
    }
    return new StepKernel(step, kernel, List.copyOf(blocks));
  }

  @Override
  public void run(MemorySegment pool, int n, long first, long count, long[] offsets) {
    if (n < 0) {
      return;
    }
    List<TensorView> inputs = new ArrayList<>(step.inputs().size());
    for (int i = 0; i < step.inputs().size(); i++) {
      inputs.add(view(pool, n, offsets[i], step.inputs().get(i), step.node().inputs().get(i)));
    }
    int last = step.inputs().size();
    TensorView output = view(pool, n, offsets[last], step.output(), step.node().output());
    kernel.run(inputs, output, n, first, count, sink(pool, offsets));
  }

  private static TensorView view(MemorySegment pool, int n, long offset, Array array, Value value) {
    return TensorView.of(pool, offset, value.type().element(), array.index(), n);
  }

  private FailureSink sink(MemorySegment pool, long[] offsets) {
    return step.failure() == null
        ? NOBODY
        : new SlotSink(step.failure(), pool, offsets[offsets.length - 1]);
  }
}
