package io.miniinference.device.opencl;

import io.miniinference.device.Binding;
import io.miniinference.device.Device.StagingSize;
import io.miniinference.device.DeviceException;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.device.Parts;
import io.miniinference.device.Parts.Part;
import io.miniinference.device.host.Bound;
import io.miniinference.device.host.StagedTransfers;
import io.miniinference.device.team.Gate;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Prepared launches on a device with memory of its own: inputs and outputs cross through pinned
/// staging. One thread submits at a time, since several make a driver slower, and none holds the
/// gate while the device works: the next request is queued behind this one.
final class OpenClGpuCommands implements ExecutionContext, Launcher {
  private final OpenClContext context;
  private final Gate submitting;

  /// PoCL's `basic` devices deadlock when one thread queues while another waits.
  private final boolean waitInside;

  private final MemorySegment queue;
  private final OpenClPool memory;
  private final MemorySegment pool;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment event = arena.allocate(ValueLayout.ADDRESS);
  private final OpenClSequence sequence;
  private final Bound bound;
  private final OpenClStaging inputs;
  private final OpenClStaging outputs;
  private final @Nullable OpenClStaging reads;

  /// Whether this run is the one that submits.
  private boolean inside;

  /// What the next run zeroes first.
  private long zeroedAt;

  private long zeroedBytes;

  private final Consumer<ExecutionContext> onClose;
  private boolean closed;

  OpenClGpuCommands(
      OpenClContext context,
      Gate submitting,
      OpenClPool pool,
      List<Launch> launches,
      OpenClSequence sequence,
      StagingSize io,
      Consumer<ExecutionContext> onClose) {
    this.context = context;
    this.submitting = submitting;
    waitInside = context.target().isPocl();
    queue = OpenClTransfers.address(context.queue(0));
    memory = pool;
    this.pool = OpenClTransfers.address(pool.buffer());
    this.sequence = sequence;
    this.onClose = onClose;
    bound = new Bound(launches);
    inputs = new OpenClStaging(context, io.inputBytes());
    outputs = new OpenClStaging(context, io.outputBytes() + StagedTransfers.BETWEEN_BYTES);
    reads = io.readBytes() == 0 ? null : new OpenClStaging(context, io.readBytes());
  }

  @Override
  public void bind(Binding binding, int n) {
    if (bound.bind(binding, n)) {
      inputs.bind(binding.inputs(), n);
      outputs.bindOutputs(binding, n);
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
  public void zero(long poolOffsetBytes, long sizeBytes) {
    zeroedAt = poolOffsetBytes;
    zeroedBytes = sizeBytes;
  }

  @Override
  public void run(boolean parallel, LaunchSequence script) {
    bound.binding();
    enter();
    try {
      play(script);
    } catch (DeviceException e) {
      context.lost();
      throw e;
    } finally {
      leave();
    }
  }

  private void enter() {
    submitting.enter();
    inside = true;
  }

  private void leave() {
    if (inside) {
      inside = false;
      submitting.leave();
    }
  }

  private void play(LaunchSequence script) {
    zero();
    Optional<Parts> parts = bound.binding().parts();
    if (parts.isEmpty()) {
      inputs.write(queue, pool);
    }
    memory.settle();
    try {
      parts.ifPresentOrElse(all -> inTurn(all, script), () -> script.run(this));
    } catch (DeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      OpenClTransfers.mark(queue, event);
      await();
      throw e;
    }
    if (!outputs.read(queue, pool, event)) {
      OpenClTransfers.mark(queue, event);
    }
    await();
  }

  private void inTurn(Parts parts, LaunchSequence script) {
    Binding batch = bound.binding();
    int n = bound.n();
    for (Part part : parts.of(n)) {
      bound.bind(part.binding(), part.rows());
      inputs.write(part, queue, pool);
      script.run(this);
      outputs.read(part, queue, pool);
    }
    bound.bind(batch, n);
  }

  private void zero() {
    if (zeroedBytes > 0) {
      OpenClTransfers.zero(queue, pool, zeroedAt, zeroedBytes);
      zeroedBytes = 0;
    }
  }

  /* Waits for the mark, which is behind all that was queued; others submit meanwhile. */
  private void await() {
    OpenClTransfers.flush(queue);
    if (!waitInside) {
      leave();
    }
    OpenClTransfers.await(event);
    context.counters().waits.increment();
  }

  @Override
  public int launches() {
    return bound.launches();
  }

  @Override
  public void launch(int index) {
    if (bound.items(index) > 0) {
      sequence.queue(bound, 0, index, 0, bound.items(index));
    }
  }

  @Override
  public void offset(int entry, long value) {
    bound.offset(entry, value);
  }

  @Override
  public void read(Read... wanted) {
    if (wanted.length == 0) {
      OpenClContext.finish(context.queue(0), "");
      return;
    }
    OpenClStaging staging = Objects.requireNonNull(reads, "staging was prepared without reads");
    long at = 0;
    for (int i = 0; i < wanted.length; i++) {
      long bytes = wanted[i].target().byteSize();
      MemorySegment mark = i == wanted.length - 1 ? event : MemorySegment.NULL;
      OpenClTransfers.read(
          queue, pool, wanted[i].poolOffsetBytes(), bytes, staging.part(at, bytes), mark);
      context.counters().transfers.increment();
      at += bytes;
    }
    await();
    at = 0;
    for (Read read : wanted) {
      read.target().copyFrom(staging.part(at, read.target().byteSize()));
      at += read.target().byteSize();
    }
    if (!inside) {
      enter();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sequence.close();
      inputs.close();
      outputs.close();
      if (reads != null) {
        reads.close();
      }
      onClose.accept(this);
    }
  }
}
