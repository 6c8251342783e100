package io.miniinference.device.opencl;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.Launch;
import io.miniinference.device.NoDiskException;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.driver.DriverDevice;
import io.miniinference.device.team.Team;
import io.miniinference.device.team.Threads;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// A device behind OpenCL: a GPU with its own memory and one queue, or the cores of a CPU, each a
/// single-threaded device of one context with a queue of its own, driven by a [Team].
public final class OpenClDevice extends DriverDevice<OpenClPool, OpenClProgram> {
  private static final System.Logger LOG = System.getLogger(OpenClDevice.class.getName());

  /// A shorter build needs no explanation.
  private static final long PATIENCE_MILLIS = 1_500;

  private final OpenClTarget target;
  private final BuildWatch watch = newWatch();
  private final ProgramCache cache;
  private final OpenClContext context;
  private final Team team;

  /// @param cacheDirectory for built programs
  public OpenClDevice(OpenClTarget target, Path cacheDirectory) {
    super(OpenClProgram.class);
    this.target = target;
    if (target.isPocl()) {
      OpenClTargets.makeCache();
    }
    cache = programs(cacheDirectory);
    context = new OpenClContext(target, counters(), this::lost);
    team = new Team("mie-opencl", context.workers());
  }

  /// One that tells the log of long builds.
  static BuildWatch newWatch() {
    return new BuildWatch(PATIENCE_MILLIS, OpenClDevice::tell);
  }

  /// The built programs in a cache.
  static ProgramCache programs(Path cacheDirectory) {
    return new ProgramCache(cacheDirectory.resolve("programs"));
  }

  private static void tell(KernelBuild build) {
    LOG.log(
        System.Logger.Level.INFO,
        "building {0} for this device, which takes a while the first time: what is built is kept"
            + " for later starts (engine.cache.directory)",
        build);
  }

  @Override
  public DeviceInfo info() {
    return target.info();
  }

  @Override
  protected OpenClPool allocate(long capacityBytes) {
    return target.info().hostShared()
        ? OpenClPool.Shared.open(context, capacityBytes)
        : OpenClPool.Separate.open(context, capacityBytes);
  }

  @Override
  public DeviceProgram build(ProgramCode code) {
    var build = new KernelBuild(code.name(), code.kernels().size());
    return compiling(() ->
        watch.during(
            build,
            isCompiling(true),
            () -> {
              checkOpen();
              var program = new OpenClProgram(context, cache, code, programs()::remove);
              programs().add(program);
              return program;
            }));
  }

  @Override
  public ExecutionContext prepare(
      List<DeviceProgram> programs, List<Launch> launches, StagingSize io) {
    OpenClPrograms ours = new OpenClPrograms(programs.stream().map(this::ours).toList());
    return target.isPocl() && !context.hasSpare()
        ? prepareAlone(ours, launches, io)
        : prepare(ours, launches, io, team::settle);
  }

  /* PoCL's `basic` devices deadlock when one thread queues while another waits. */
  private ExecutionContext prepareAlone(
      OpenClPrograms ours, List<Launch> launches, StagingSize io) {
    submitting().enter();
    int worker = team.enter(0);
    try {
      return prepare(ours, launches, io, () -> {});
    } finally {
      team.leave(worker);
      submitting().leave();
    }
  }

  private ExecutionContext prepare(
      OpenClPrograms ours, List<Launch> launches, StagingSize io, Runnable settle) {
    OpenClPool memory = pool();
    Supplier<OpenClSequence> making =
        () -> new OpenClSequence(context, ours, launches, memory.buffer(), settle);
    OpenClSequence sequence =
        ifReady(ours, launches, making).orElseGet(() -> firstLaunched(ours, making));
    return prepared(
        switch (memory) {
          case OpenClPool.Shared shared ->
              new OpenClCpuCommands(
                  team, shared.memory(), context, launches, sequence, this::closed);
          case OpenClPool.Separate separate ->
              new OpenClGpuCommands(
                  context, submitting(), separate, launches, sequence, io, this::closed);
        });
  }

  private OpenClSequence firstLaunched(OpenClPrograms ours, Supplier<OpenClSequence> making) {
    try {
      return compiling(() -> watch.during(ours.waiting(), isCompiling(false), making));
    } finally {
      watch.prepared(ours.name());
    }
  }

  /* What lies in PoCL's cache tells; other drivers compile programs whole. */
  private BooleanSupplier isCompiling(boolean wholeProgram) {
    return target.isPocl()
        ? CompiledPrograms.mark(OpenClTargets.poclCache())::isAnyNewer
        : () -> wholeProgram;
  }

  @Override
  public Optional<KernelBuild> building() {
    return watch.building();
  }

  /* For a further shape there is nothing to compile. */
  private static Optional<OpenClSequence> ifReady(
      OpenClPrograms ours, List<Launch> launches, Supplier<OpenClSequence> making) {
    OpenClProgram.COMPILER.lock();
    try {
      return ours.areReady(launches) ? Optional.of(making.get()) : Optional.empty();
    } finally {
      OpenClProgram.COMPILER.unlock();
    }
  }

  private <T> T compiling(Supplier<T> task) {
    if (target.isPocl()) {
      OpenClTargets.makeCache();
    }
    return Threads.withDeepStack(
        "mie-opencl-compiler",
        () -> {
          OpenClProgram.COMPILER.lock();
          try {
            return target.isPocl() ? withCache(task) : task.get();
          } finally {
            OpenClProgram.COMPILER.unlock();
          }
        });
  }

  @SuppressWarnings("try")
  private static <T> T withCache(Supplier<T> task) {
    try (CacheLock _ = CacheLock.take(OpenClTargets.poclCache())) {
      NoDiskException.check(OpenClTargets.poclCache(), OpenClTargets.PROGRAM_BYTES);
      Optional<CacheInventory> inventory = OpenClTargets.inventory();
      inventory.ifPresent(CacheInventory::open);
      try {
        return task.get();
      } finally {
        inventory.ifPresent(CacheInventory::close);
      }
    }
  }

  /* One that begins later finds the device closed. */
  private static void awaitBuild() {
    OpenClProgram.COMPILER.lock();
    OpenClProgram.COMPILER.unlock();
  }

  @Override
  public DriverCalls driverCalls() {
    return counters().calls(context.variants());
  }

  @Override
  protected void closeWorkers() {
    awaitBuild();
    team.close();
  }

  @Override
  protected void finish() {
    context.finishAll();
  }

  @Override
  protected void closeDriver() {
    context.close();
  }
}
