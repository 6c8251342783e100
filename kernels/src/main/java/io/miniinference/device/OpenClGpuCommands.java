package io.miniinference.device;

import io.miniinference.device.Device.StagingSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;

/// Prepared launches on a device with memory of its own: inputs and outputs cross through pinned
/// staging. One thread submits at a time, since several make a driver slower, and none holds the
/// gate while the device works: the next request is queued behind this one.
final class OpenClGpuCommands implements Commands {
  private final OpenClContext context;
  private final Gate submitting;

  /// PoCL's `basic` devices deadlock when one thread queues while another waits.
  private final boolean waitInside;

  private final MemorySegment queue;
  private final MemorySegment pool;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment event = arena.allocate(ValueLayout.ADDRESS);
  private final OpenClSequence sequence;
  private final Bound bound;
  private final OpenClStaging inputs;
  private final OpenClStaging outputs;
  private final Consumer<Commands> onClose;
  private boolean closed;

  OpenClGpuCommands(
      OpenClContext context,
      Gate submitting,
      OpenClPool pool,
      List<Launch> launches,
      OpenClSequence sequence,
      StagingSize io,
      Consumer<Commands> onClose) {
    this.context = context;
    this.submitting = submitting;
    waitInside = context.target().isPocl();
    queue = OpenClTransfers.address(context.queue(0));
    this.pool = OpenClTransfers.address(pool.buffer());
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
    submitting.enter();
    boolean inside = true;
    try {
      submit();
      if (!waitInside) {
        inside = false;
        submitting.leave();
      }
      OpenClTransfers.await(event);
    } catch (DeviceException e) {
      context.lost();
      throw e;
    } finally {
      if (inside) {
        submitting.leave();
      }
    }
    context.counters().waits.increment();
  }

  private void submit() {
    inputs.write(queue, pool);
    for (int i = 0; i < bound.launches(); i++) {
      if (bound.items(i) > 0) {
        sequence.queue(bound, 0, i, 0, bound.items(i));
      }
    }
    outputs.read(queue, pool);
    OpenClTransfers.mark(queue, event);
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
