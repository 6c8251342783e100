package io.miniinference.device.cuda;

import io.miniinference.device.Binding;
import io.miniinference.device.Device.StagingSize;
import io.miniinference.device.DeviceException;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.device.Parts;
import io.miniinference.device.Parts.Part;
import io.miniinference.device.cuda.CudaGraph.Queued;
import io.miniinference.device.cuda.CudaStreams.Lane;
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
/// request is queued beside this one, or behind it ([CudaStreams]).
final class CudaCommands implements ExecutionContext, Launcher {
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
  private final CudaParts parts;
  private final Consumer<ExecutionContext> onClose;

  /// Whether this run is the one that submits.
  private boolean inside;

  /// That this run is on, or the run before.
  private Lane lane;

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
    lane = context.streams().first();
    bound = new Bound(launches);
    for (Launch launch : launches) {
      kernels.add(new CudaKernel(context, found.apply(launch), launch, pool, arena));
    }
    context.enter();
    if (kernels.stream().filter(CudaKernel::warmUp).count() > 0) {
      context.finish();
    }
    event = CudaContext.newEvent();
    inputs = CudaStaging.of(context, io.inputBytes());
    outputs = CudaStaging.of(context, io.outputBytes() + StagedTransfers.BETWEEN_BYTES);
    parts = new CudaParts(context, pool, copies, inputs, outputs);
    reads = io.readBytes() == 0 ? null : CudaStaging.of(context, io.readBytes());
  }

  @Override
  public void bind(Binding binding, int n) {
    if (bound.bind(binding, n)) {
      inputs.transfers().bind(binding.inputs(), n);
      outputs.bind(binding, n);
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
    List<Lane> lanes = context.streams().take(lanes());
    lane = lanes.getFirst();
    try {
      outputs.mark().clear();
      Queued queued = submit(script, lanes);
      count(queued);
      await(queued);
    } catch (DeviceException e) {
      context.lost();
      throw e;
    } finally {
      lanes.forEach(Lane::giveBack);
      leave();
    }
  }

  private int lanes() {
    return bound
        .binding()
        .parts()
        .map(it -> Math.clamp(it.count(bound.n()), 1, it.lanes()))
        .orElse(1);
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
  private Queued submit(LaunchSequence script, List<Lane> lanes) {
    context.enter();
    Optional<Parts> inParts = bound.binding().parts();
    if (inParts.isPresent()) {
      return submit(inParts.get(), script, lanes);
    }
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
            ? graph.get().launch(lane.stream())
            : script == LaunchSequence.ALL ? queueAll(lane.stream()) : play(script);
    zeroedBytes = 0;
    return queued;
  }

  private Queued submit(Parts all, LaunchSequence script, List<Lane> lanes) {
    if (zeroedBytes > 0) {
      CudaCalls.zero(pool.address() + zeroedAt, zeroedBytes, lane.stream());
      zeroedBytes = 0;
      lane.finish(context);
    }
    Queued queued =
        script == LaunchSequence.ALL
            ? parts.queue(all, bound, graphs, this::queueLaunches, lanes)
            : play(all, script);
    return end(queued.launches(), queued.transfers(), lane.stream());
  }

  /* Parts in turn, whose launches the script counts. */
  private Queued play(Parts all, LaunchSequence script) {
    Binding batch = bound.binding();
    int n = bound.n();
    int transfers = 0;
    for (Part part : all.of(n)) {
      bound.bind(part.binding(), part.rows());
      transfers += parts.bring(part, lane.stream());
      launch(script);
      transfers += parts.fetch(part, lane.stream());
    }
    bound.bind(batch, n);
    return new Queued(0, transfers, false);
  }

  private void count(Queued queued) {
    context.counters().launches.add(queued.launches());
    context.counters().transfers.add(queued.transfers());
  }

  private Queued queueAll(MemorySegment stream) {
    int transfers = begin(stream);
    return end(queueLaunches(stream).launches(), transfers, stream);
  }

  private Queued queueLaunches(MemorySegment stream) {
    int launches = 0;
    for (int i = 0; i < kernels.size(); i++) {
      launches += kernels.get(i).queue(bound, i, stream);
    }
    return new Queued(launches, 0, false);
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
    int transfers = begin(lane.stream());
    launch(script);
    return end(0, transfers, lane.stream());
  }

  private void launch(LaunchSequence script) {
    try {
      script.run(this);
    } catch (DeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      lane.finish(context);
      throw e;
    }
    context.enter(); // reads on the way wait, and a thread may be another one behind that
  }

  private void await(Queued queued) {
    if (queued.isMarked()) {
      leave();
      outputs.mark().await(context, lane);
      context.counters().waits.increment();
    } else {
      awaitQueued();
    }
  }

  /* Waits for all that was queued; others submit meanwhile. */
  private void awaitQueued() {
    CudaCalls.record(event, lane.stream());
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
      count(new Queued(kernels.get(index).queue(bound, index, lane.stream()), 0, false));
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
      lane.finish(context);
      return;
    }
    CudaStaging staging = Objects.requireNonNull(reads, "staging was prepared without reads");
    context.enter();
    long at = 0;
    for (Read read : wanted) {
      MemorySegment part = staging.transfers().part(at, read.target().byteSize());
      long from = pool.address() + read.poolOffsetBytes();
      CudaCalls.copy(part.address(), from, part.byteSize(), lane.stream());
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
      parts.close();
      context.releaseEvent(event);
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
