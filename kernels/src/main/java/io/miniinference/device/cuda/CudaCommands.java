package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.miniinference.device.Binding;
import io.miniinference.device.Device.StagingSize;
import io.miniinference.device.DeviceException;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.device.cuda.CudaGraph.Queued;
import io.miniinference.device.host.Bound;
import io.miniinference.device.host.StagedTransfers;
import io.miniinference.device.team.Gate;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Prepared launches on a GPU behind NVIDIA's driver. A run of all launches that comes again with
/// what it is bound to is recorded ([CudaGraph]); one that decides on the way is queued launch by
/// launch. One thread submits at a time, and none holds the gate while the device works: the next
/// request is queued behind this one.
final class CudaCommands implements ExecutionContext, Launcher {
  /// A mark without a time.
  private static final int NO_TIMING = 2;

  private final CudaContext context;
  private final Gate submitting;
  private final CudaPool pool;
  private final CudaCopies copies;
  private final Arena arena = Arena.ofShared();
  private final List<CudaKernel> kernels = new ArrayList<>();
  private final Bound bound;
  private final CudaGraphs graphs = new CudaGraphs();
  private final MemorySegment event;
  private final CudaStaging inputs;
  private final CudaStaging outputs;
  private final @Nullable CudaStaging reads;
  private final Consumer<ExecutionContext> onClose;

  /// Whether this run is the one that submits.
  private boolean inside;

  /// What the next run zeroes first.
  private long zeroedAt;

  private long zeroedBytes;

  /// Whether a run has changed what it was bound to, so that the binding does not tell.
  private boolean isMoved;

  private boolean closed;

  /// @param found the kernels of the launches
  CudaCommands(
      CudaContext context,
      Gate submitting,
      CudaPool pool,
      CudaCopies copies,
      List<Launch> launches,
      Function<Launch, CudaProgram.Kernel> found,
      StagingSize io,
      Consumer<ExecutionContext> onClose) {
    this.context = context;
    this.submitting = submitting;
    this.pool = pool;
    this.copies = copies;
    this.onClose = onClose;
    bound = new Bound(launches);
    for (Launch launch : launches) {
      kernels.add(new CudaKernel(context, found.apply(launch), launch, pool, arena));
    }
    context.enter();
    if (kernels.stream().filter(CudaKernel::warmUp).count() > 0) {
      context.finish();
    }
    event = CudaContext.made("cuEventCreate", NO_TIMING);
    inputs = CudaStaging.of(context, io.inputBytes());
    outputs = CudaStaging.of(context, io.outputBytes() + StagedTransfers.BETWEEN_BYTES);
    reads = io.readBytes() == 0 ? null : CudaStaging.of(context, io.readBytes());
  }

  @Override
  public void bind(Binding binding, int n) {
    if (bound.bind(binding, n)) {
      inputs.transfers().bind(binding.inputs(), n);
      outputs.transfers().bindTogether(binding.outputs(), n);
    }
  }

  @Override
  public MemorySegment input(int index) {
    return inputs.transfers().segment(index);
  }

  @Override
  public MemorySegment output(int index) {
    return outputs.transfers().segment(index);
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
      outputs.mark().clear();
      Queued queued = submit(script);
      count(queued);
      await(queued);
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

  @SuppressWarnings("ReferenceEquality")
  private Queued submit(LaunchSequence script) {
    context.enter();
    Optional<CudaGraph> graph =
        script == LaunchSequence.ALL && !isMoved
            ? graphs.of(
                bound.binding(),
                bound.n(),
                zeroedAt,
                zeroedBytes,
                () -> CudaGraph.of(context, this::queueAll))
            : Optional.empty();
    Queued queued =
        graph.isPresent()
            ? graph.get().launch()
            : script == LaunchSequence.ALL ? queueAll(context.stream()) : play(script);
    zeroedBytes = 0;
    return queued;
  }

  private void count(Queued queued) {
    context.counters().launches.add(queued.launches());
    context.counters().transfers.add(queued.transfers());
  }

  private Queued queueAll(MemorySegment stream) {
    int transfers = begin(stream);
    int launches = 0;
    for (int i = 0; i < kernels.size(); i++) {
      launches += kernels.get(i).queue(bound, i, stream);
    }
    return end(launches, transfers, stream);
  }

  private int begin(MemorySegment stream) {
    if (zeroedBytes > 0) {
      CudaCalls.zero(pool.address() + zeroedAt, zeroedBytes, stream);
    }
    return inputs.write(pool, copies, stream);
  }

  private Queued end(int launches, int transfers, MemorySegment stream) {
    int all = transfers + outputs.transfers().all().size();
    return new Queued(launches, all, outputs.read(pool, copies, stream));
  }

  private Queued play(LaunchSequence script) {
    int transfers = begin(context.stream());
    try {
      script.run(this);
    } catch (DeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      context.finish();
      throw e;
    }
    context.enter(); // reads on the way wait, and a thread may be another one behind that
    return end(0, transfers, context.stream());
  }

  private void await(Queued queued) {
    if (queued.isMarked()) {
      leave();
      outputs.mark().await(context);
      context.counters().waits.increment();
    } else {
      awaitQueued();
    }
  }

  /* Waits for all that was queued; others submit meanwhile. */
  private void awaitQueued() {
    CudaCalls.record(event, context.stream());
    leave();
    CudaCalls.await(event);
    context.counters().waits.increment();
  }

  @Override
  public int launches() {
    return bound.launches();
  }

  @Override
  public void launch(int index) {
    if (bound.items(index) > 0) {
      context.enter();
      count(new Queued(kernels.get(index).queue(bound, index, context.stream()), 0, false));
    }
  }

  @Override
  public void offset(int entry, long value) {
    isMoved = true;
    bound.offset(entry, value);
  }

  @Override
  public void read(Read... wanted) {
    if (wanted.length == 0) {
      context.finish();
      return;
    }
    CudaStaging staging = Objects.requireNonNull(reads, "staging was prepared without reads");
    context.enter();
    long at = 0;
    for (Read read : wanted) {
      MemorySegment part = staging.transfers().part(at, read.target().byteSize());
      long from = pool.address() + read.poolOffsetBytes();
      CudaCalls.copy(part.address(), from, part.byteSize(), context.stream());
      at += read.target().byteSize();
    }
    count(new Queued(0, wanted.length, false));
    awaitQueued();
    at = 0;
    for (Read read : wanted) {
      read.target().copyFrom(staging.transfers().part(at, read.target().byteSize()));
      at += read.target().byteSize();
    }
    enter();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      context.release(context::finish);
      graphs.close();
      context.release(
          () -> Cuda.call("cuEventDestroy", Cuda.find("cuEventDestroy_v2", ADDRESS), event));
      inputs.close();
      outputs.close();
      if (reads != null) {
        reads.close();
      }
      arena.close();
      onClose.accept(this);
    }
  }
}
