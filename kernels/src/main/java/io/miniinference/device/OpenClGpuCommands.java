package io.miniinference.device;

import static org.jocl.CL.*;

import io.miniinference.device.Device.StagingSize;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jocl.cl_command_queue;

/// Prepared launches on a device with memory of its own: inputs and outputs cross through pinned
/// staging. One submitter at a time: several make a driver slower, not faster.
final class OpenClGpuCommands implements Commands {
  private final OpenClContext context;
  private final ReentrantLock submitting;
  private final OpenClPool pool;
  private final OpenClSequence sequence;
  private final Bound bound;
  private final OpenClStaging inputs;
  private final OpenClStaging outputs;
  private final Consumer<Commands> onClose;
  private boolean closed;

  OpenClGpuCommands(
      OpenClContext context,
      ReentrantLock submitting,
      OpenClPool pool,
      List<Launch> launches,
      OpenClSequence sequence,
      StagingSize io,
      Consumer<Commands> onClose) {
    this.context = context;
    this.submitting = submitting;
    this.pool = pool;
    this.sequence = sequence;
    this.onClose = onClose;
    bound = new Bound(launches);
    inputs = new OpenClStaging(context, io.inputBytes());
    outputs = new OpenClStaging(context, io.outputBytes());
  }

  @Override
  public void bind(Binding binding, int n) {
    if (bound.bind(binding, n)) {
      inputs.bind(binding.inputs(), n);
      outputs.bind(binding.outputs(), n);
    }
  }

  @Override
  public MemorySegment input(int index) {
    return inputs.segment(index);
  }

  @Override
  public MemorySegment output(int index) {
    return outputs.segment(index);
  }

  @Override
  public void run(boolean parallel) {
    bound.binding();
    submitting.lock();
    try {
      submit(context.queue(0));
    } catch (DeviceException e) {
      context.lost();
      throw e;
    } finally {
      submitting.unlock();
    }
    context.counters().waits.increment();
  }

  private void submit(cl_command_queue queue) {
    inputs.write(queue, pool);
    for (int i = 0; i < bound.launches(); i++) {
      if (bound.items(i) > 0) {
        sequence.queue(bound, 0, i, 0, bound.items(i));
      }
    }
    outputs.read(queue, pool);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sequence.close();
      inputs.close();
      outputs.close();
      onClose.accept(this);
    }
  }
}
