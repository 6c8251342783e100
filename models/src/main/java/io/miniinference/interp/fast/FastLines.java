package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.LineKernel;
import io.miniinference.interp.plain.Lines;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.ir.Node;
import java.util.List;
import java.util.Optional;

/// Softmax, Normalize and Scan over `F32`, in stretches where a line lies along the last axes.
final class FastLines implements OpKernel {
  private final LineKernel plain;
  private final RowSink.Factory sinks;

  FastLines(LineKernel plain, Node node) {
    this.plain = plain;
    this.sinks = new RowSink.Factory(node);
  }

  @Override
  public void run(Task task) {
    TensorView x = task.operand(0);
    Optional<Runs> runs = Runs.of(x.shape(), List.of(x.strides()));
    if (runs.isPresent() && new Lines(x.shape(), plain.axes()).areLast()) {
      stretches(x, runs.get(), sinks.bind(task), task);
    } else {
      plain.run(task);
    }
  }

  private void stretches(TensorView x, Runs runs, RowSink sink, Task task) {
    int length = Math.toIntExact(new Lines(x.shape(), plain.axes()).length());
    float[] floats = new float[length];
    LineKernel.Line line = new LineKernel.Line(new double[length], new long[0]);
    for (long i = task.first(); i < task.first() + task.count() && length > 0; i++) {
      load(x, runs, i * length, floats);
      for (int k = 0; k < length; k++) {
        line.reals()[k] = floats[k];
      }
      plain.rule().apply(line);
      for (int k = 0; k < length; k++) {
        floats[k] = (float) line.reals()[k];
      }
      sink.put(i * length, floats, length);
    }
  }

  private static void load(TensorView x, Runs runs, long first, float[] floats) {
    for (int done = 0; done < floats.length; ) {
      int part = (int) Math.min(floats.length - done, runs.moveTo(first + done));
      x.floats(runs.offsets[0], runs.step(0), floats, done, part);
      done += part;
    }
  }
}
