package io.miniinference.runtime.load;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Network;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.lower.Target;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pass.OpenAxes;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.compile.BoundedLoad;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.Compiler;
import io.miniinference.runtime.compile.EngineContext;
import io.miniinference.runtime.compile.OtherShapes;
import io.miniinference.runtime.compile.StageObserver;
import io.miniinference.runtime.compile.WeightSet;
import io.miniinference.runtime.serve.Activity;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.runtime.serve.Instance;
import io.miniinference.runtime.serve.MicroBatches;
import io.miniinference.runtime.serve.PlanReports;
import io.miniinference.runtime.serve.PlannedModel;
import io.miniinference.runtime.serve.Reservation;
import io.miniinference.runtime.serve.RowSpec;
import io.miniinference.runtime.serve.Serving;
import io.miniinference.schedule.ScheduledRun;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Loads one model: everything from its messages to warm instances, as one transaction on the pool.
public final class ModelLoader {
  private final Device device;
  private final MemoryPool pool;
  private final Target<?> target;
  private final EngineContext context;
  private final Activity activity;
  private final SharedWeights weights;
  private final OtherShapes others;

  /// A loader of models that are compiled once.
  ///
  /// @param activity the engine's requests on the device
  /// @param weights of all models
  public ModelLoader(
      Device device,
      MemoryPool pool,
      Target<?> target,
      EngineContext context,
      Activity activity,
      SharedWeights weights) {
    this(device, pool, target, context, activity, weights, OtherShapes.none());
  }

  private ModelLoader(
      Device device,
      MemoryPool pool,
      Target<?> target,
      EngineContext context,
      Activity activity,
      SharedWeights weights,
      OtherShapes others) {
    this.weights = weights;
    this.others = others;
    this.device = device;
    this.pool = pool;
    this.target = target;
    this.context = context;
    this.activity = activity;
  }

  /// A loader of one model that is compiled for each shape of its requests.
  public ModelLoader ofManyShapes() {
    return new ModelLoader(device, pool, target, context, activity, weights, OtherShapes.many());
  }

  /// Loads what was compiled for batches at least as large as the options have it.
  public Model load(Compiled compiled, LoadOptions options) {
    return load(compiled, options, new BuiltAhead());
  }

  /// As above, with a program that may have been built before.
  Model load(Compiled compiled, LoadOptions options, BuiltAhead ahead) {
    Reservation reservation = Reservation.of(compiled, options, device.info());
    PoolStatistics before = pool.statistics();
    long missing = missingBytes(compiled.weights());
    SharedWeights.Taken taken =
        take(compiled, reservation.eachArena())
            .orElseThrow(() -> reservation.refused(missing, before));
    try {
      return build(compiled, reservation, taken, options, ahead);
    } catch (Throwable e) {
      taken.undo();
      throw e;
    }
  }

  private Optional<SharedWeights.Taken> take(Compiled compiled, List<Long> arenas) {
    return weights.take(compiled.weights(), blocks(compiled), compiled.name(), arenas);
  }

  private Optional<SharedWeights.Taken> takeIn(PromisedRoom room, Compiled compiled) {
    return weights.takeIn(room.place(), compiled.weights(), blocks(compiled));
  }

  private boolean fits(PromisedRoom room, Compiled compiled) {
    return missingBytes(compiled.weights()) <= room.place().bytes();
  }

  private static int blocks(Compiled compiled) {
    return compiled.lowered().plan().blocks().size();
  }

  /// Bytes of those weights that are not in the pool now.
  public long missingBytes(WeightSet wanted) {
    return weights.missingBytes(wanted);
  }

  /// Bytes of those weights that are not in the pool now, and that others will bring.
  long bytesBroughtBy(List<WeightSet> others, WeightSet wanted) {
    return weights.bytesBroughtBy(others, wanted);
  }

  public DeviceInfo device() {
    return device.info();
  }

  public long poolBytes() {
    return pool.capacity();
  }

  /// Bytes of the pool that requests of any shape may take now, in whatever pieces.
  public long roomBytes() {
    PoolStatistics now = pool.statistics();
    return now.freeBytes() + now.heldBytes();
  }

  /// A place for the kernels of one model with open sizes, if the device builds any.
  public Optional<OpenPrograms> openPrograms() {
    return target.openKernels().map(kernels -> new OpenPrograms(device, kernels));
  }

  /// Takes room for a shape of a model with open sizes, in batches up to a size.
  ///
  /// @throws io.miniinference.runtime.LoadRefusedException if the pool does not have it, with the
  ///   figures
  public PromisedRoom promise(LargestShape largest, int batch) {
    PoolStatistics before = pool.statistics();
    long missing = missingBytes(largest.common());
    List<Long> rooms = largest.rooms(batch, device.info());
    Compiled compiled = largest.compiled();
    return weights
        .take(largest.common(), blocks(compiled), compiled.name(), rooms)
        .map(it -> new PromisedRoom(largest, batch, it, rooms.getFirst()))
        .orElseThrow(() -> largest.refused(batch, missing, device.info(), before));
  }

  /// Puts the weights of what was compiled into the pool, and prepares its launches.
  ///
  /// @param shared programs that have its kernels; empty if it has one of its own
  /// @param room that the model has, if any
  /// @param eviction makes room for its weights
  /// @throws io.miniinference.runtime.LoadRefusedException if the pool has no room for its weights
  public Specialisation specialise(
      Compiled compiled,
      LoadOptions options,
      Optional<List<DeviceProgram>> shared,
      Optional<PromisedRoom> room,
      Eviction eviction) {
    Reservation reservation = Reservation.ofShape(compiled, options, device.info());
    SharedWeights.Taken taken = weights(compiled, reservation, room, eviction);
    try {
      return specialised(compiled, reservation, taken, options, shared);
    } catch (Throwable e) {
      taken.undo();
      throw e;
    }
  }

  private SharedWeights.Taken weights(
      Compiled compiled, Reservation reservation, Optional<PromisedRoom> room, Eviction eviction) {
    PoolStatistics before = pool.statistics();
    Optional<SharedWeights.Taken> taken;
    do {
      taken = take(compiled, List.of()).or(() -> room.flatMap(it -> takeIn(it, compiled)));
    } while (taken.isEmpty() && eviction.evict(room.filter(it -> fits(it, compiled))));
    return taken.orElseThrow(() -> reservation.refused(missingBytes(compiled.weights()), before));
  }

  /// Why a model cannot be imported for sizes and values; empty if it can.
  public Optional<ModelException> fault(OnnxModel model, LoadOptions options) {
    try {
      graph(model, options);
      return Optional.empty();
    } catch (ModelException e) {
      return Optional.of(e);
    }
  }

  private Specialisation specialised(
      Compiled compiled,
      Reservation reservation,
      SharedWeights.Taken taken,
      LoadOptions options,
      Optional<List<DeviceProgram>> shared) {
    ArenaSpec spec = reservation.spec().withWeights(taken.offsets());
    List<DeviceProgram> own = shared.isPresent() ? List.of() : List.of(program(compiled));
    List<DeviceProgram> programs = shared.orElse(own);
    return new Specialisation(
        compiled,
        reservation,
        own,
        new OpenLaunches(device, compiled, programs, spec),
        taken,
        spec,
        new Serving(activity, compiled, options.maxIterations()));
  }

  /* Prepared for a batch when a request comes that needs it. */
  private record OpenLaunches(
      Device device, Compiled compiled, List<DeviceProgram> programs, ArenaSpec spec)
      implements PreparedBatch.Launches {
    @Override
    public ExecutionContext steps(long most) {
      Binding largest = spec.buckets(0, most, 0).getLast().binding();
      return device.prepare(
          programs, compiled.generated().launches(), staging(compiled, largest, most));
    }

    @Override
    public ExecutionContext rows(RowSpec rows) {
      Device.StagingSize staging = staging(compiled, rows.binding(0), rows.arena().rows());
      return device.prepare(programs, List.of(rows.launch()), staging);
    }

    @Override
    public ExecutionContext shared(SharedLaunch launch, long most) {
      Binding largest = spec.buckets(0, most, 0).getLast().binding();
      return device.prepare(
          programs, List.of(launch.by(spec.workers())), staging(compiled, largest, most));
    }

    @Override
    public void put(long offset, MemorySegment table) {
      device.upload(offset, table);
    }
  }

  /// The certificate of the plan that a load would reserve for.
  public PlanReport plan(OnnxModel model, LoadOptions options, int batch) {
    Compiled compiled = compile(model, options);
    Reservation reservation = Reservation.of(compiled, options, device.info());
    return new PlanReports(compiled, reservation, device.info()).apply(batch);
  }

  /// Everything of a load that needs neither the device nor the pool.
  public Compiled compile(OnnxModel model, LoadOptions options) {
    return compiler().compile(model, options);
  }

  /// As above, in a room where it may be.
  public Compiled compile(OnnxModel model, LoadOptions options, Optional<PromisedRoom> room) {
    return compiler().compile(model, options, it -> isHeld(it, room));
  }

  /// As above, with kernels that `writer` writes.
  ///
  /// @param axes what is to be decided for all sizes
  public Compiled compile(
      OnnxModel model,
      LoadOptions options,
      OpenAxes axes,
      Compiler.Writer writer,
      Optional<PromisedRoom> room) {
    return compiler()
        .compile(model, options, StageObserver.NONE, axes, writer, it -> isHeld(it, room));
  }

  private boolean isHeld(Compiled compiled, Optional<PromisedRoom> room) {
    return room.map(it -> it.holds(compiled, device.info())).orElse(true);
  }

  /// The model in core IR, simplified.
  public Graph graph(OnnxModel model, LoadOptions options) {
    return compiler().graph(model, options);
  }

  /// The limits of the engine for a load of a model.
  public BoundedLoad bounded(OnnxModel model) {
    return new BoundedLoad(model.name(), context.options().limits());
  }

  private Compiler compiler() {
    return new Compiler(target, pool.capacity(), context, others);
  }

  /// Builds the kernels of what was compiled.
  DeviceProgram program(Compiled compiled) {
    return device.build(compiled.generated().code());
  }

  private Model build(
      Compiled compiled,
      Reservation reservation,
      SharedWeights.Taken taken,
      LoadOptions options,
      BuiltAhead ahead) {
    DeviceProgram program = ahead.take().orElseGet(() -> program(compiled));
    ArenaSpec spec = reservation.spec().withWeights(taken.offsets());
    List<Instance> instances = new ArrayList<>();
    try {
      for (int i = 0; i < reservation.arenas().size(); i++) {
        instances.add(
            instance(compiled, program, spec, reservation.arenas().get(i), taken.arena(i)));
      }
      return new PlannedModel(
          compiled,
          new Serving(activity, compiled, options.maxIterations()),
          program,
          instances,
          taken,
          new PlanReports(compiled, reservation, device.info()));
    } catch (Throwable e) {
      instances.forEach(Instance::close);
      program.close();
      throw e;
    }
  }

  private Instance instance(
      Compiled compiled,
      DeviceProgram program,
      ArenaSpec spec,
      Reservation.Arena arena,
      long offset) {
    List<ArenaSpec.Bucket> buckets = spec.buckets(offset, arena.maxBatch(), 0);
    Device.StagingSize staging = staging(compiled, buckets.getLast().binding(), arena.maxBatch());
    ExecutionContext commands = device.prepare(program, compiled.generated().launches(), staging);
    List<ExecutionContext> prepared = new ArrayList<>(List.of(commands));
    try {
      long slots = spec.failureBytes(arena.maxBatch());
      if (slots > 0) {
        device.upload(offset, MemorySegment.ofArray(new byte[Math.toIntExact(slots)]));
      }
      buckets.forEach(bucket -> putTable(compiled, bucket.binding()));
      Optional<Instance.Rows> rows =
          spec.rowsUpTo(arena.maxBatch()).map(it -> rows(compiled, program, it, arena, offset));
      rows.ifPresent(it -> prepared.add(it.commands()));
      Optional<Instance.Shared> shared =
          spec.shared()
              .map(it ->
                  new Instance.Shared(
                      device.prepare(program, List.of(it.by(spec.workers())), staging),
                      offset + spec.counterOffset(arena.maxBatch()),
                      spec.counterBytes()));
      Optional<MicroBatches> microBatches =
          spec.microBatchesUpTo(arena.maxBatch()).map(it -> MicroBatches.of(it, offset));
      microBatches.ifPresent(all -> all.each().forEach(it -> putTable(compiled, it)));
      return new Instance(
          arena.maxBatch(),
          arena.parallel(),
          commands,
          buckets,
          offset,
          rows,
          shared,
          microBatches,
          spec.partsUpTo(arena.maxBatch()).map(it -> it.batch(offset)));
    } catch (Throwable e) {
      Closing.all(prepared);
      throw e;
    }
  }

  private Instance.Rows rows(
      Compiled compiled,
      DeviceProgram program,
      RowSpec rows,
      Reservation.Arena arena,
      long offset) {
    Binding binding = rows.binding(offset);
    putTable(compiled, binding);
    ExecutionContext commands =
        device.prepare(
            program, List.of(rows.launch()), staging(compiled, binding, arena.maxBatch()));
    return new Instance.Rows(rows.from(), rows.lanes(), commands, binding, rows.ticket(offset));
  }

  /* Where a kernel of the whole program finds what a binding says. */
  private void putTable(Compiled compiled, Binding binding) {
    compiled
        .generated()
        .network()
        .map(Network::table)
        .ifPresent(table ->
            device.upload(
                binding.offsets()[table.place()],
                MemorySegment.ofArray(table.of(binding.offsets()))));
  }

  private static Device.StagingSize staging(Compiled compiled, Binding binding, long n) {
    return new Device.StagingSize(
        sum(binding.inputs(), n),
        sum(binding.outputs(), n),
        compiled.lowered().hostSyncs() > 0 ? ScheduledRun.READ_BYTES : 0);
  }

  private static long sum(List<Binding.Region> regions, long n) {
    return regions.stream().mapToLong(r -> Math.ceilDiv(r.sizeBytes().at(n), 256) * 256).sum();
  }
}
