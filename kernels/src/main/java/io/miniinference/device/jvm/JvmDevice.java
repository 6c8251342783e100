package io.miniinference.device.jvm;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.JvmKernel;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.host.Counters;
import io.miniinference.device.host.HostMemory;
import io.miniinference.device.team.Team;
import io.miniinference.interp.fast.VectorForms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The device that is always there: Java kernels over off-heap memory, run by a [Team] with one
/// worker per core.
public final class JvmDevice implements Device {
  private static final System.Logger LOG = System.getLogger(JvmDevice.class.getName());

  /// Once in a process.
  private static final AtomicBoolean SLOW_FORM_TOLD = new AtomicBoolean();

  private final DeviceInfo info;
  private final Team team;
  private final Counters counters = new Counters();
  private final Arena arena = Arena.ofShared();
  private @Nullable MemorySegment pool;
  private boolean closed;

  public JvmDevice() {
    this(Runtime.getRuntime().availableProcessors());
  }

  /// A device that uses `workers` cores.
  JvmDevice(int workers) {
    info = HostMemory.jvmInfo(workers);
    team = new Team("mie-jvm", workers);
    VectorForms.add();
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public boolean healthy() {
    return true;
  }

  @Override
  public synchronized void openPool(long capacityBytes) {
    if (pool != null) {
      throw new IllegalStateException("the pool is open already");
    }
    pool = HostMemory.allocate(arena, capacityBytes, info);
    counters.allocations.increment();
    tellForm();
  }

  private static void tellForm() {
    if (VectorForms.areThere()) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "products are computed with the Vector API, once the JVM has compiled it");
    } else if (VectorForms.areMissed() && SLOW_FORM_TOLD.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "products and convolutions are computed in plain Java, several times slower than with the"
              + " Vector API: start the JVM with --add-modules jdk.incubator.vector, or with"
              + " -Dmie.vectors=false to do without");
    }
  }

  private synchronized MemorySegment pool() {
    if (pool == null || closed) {
      throw new IllegalStateException(closed ? "the device is closed" : "no pool is open");
    }
    return pool;
  }

  @Override
  public void upload(long poolOffsetBytes, MemorySegment source) {
    pool().asSlice(poolOffsetBytes, source.byteSize()).copyFrom(source);
  }

  @Override
  public void download(long poolOffsetBytes, MemorySegment target) {
    target.copyFrom(pool().asSlice(poolOffsetBytes, target.byteSize()));
  }

  @Override
  public DeviceProgram build(ProgramCode code) {
    Map<String, JvmKernel> kernels = new HashMap<>();
    for (ProgramCode.KernelCode kernel : code.kernels()) {
      kernels.put(kernel.name(), body(code, kernel));
    }
    counters.builds.increment();
    return new JvmProgram(code.name(), Map.copyOf(kernels));
  }

  private static JvmKernel body(ProgramCode code, ProgramCode.KernelCode kernel) {
    return switch (kernel) {
      case ProgramCode.JavaKernel java -> java.body();
      case ProgramCode.OpenClKernel openCl ->
          throw new DeviceException(
              "program '%s': kernel '%s' is OpenCL C, and this device is the JVM"
                  .formatted(code.name(), openCl.name()));
    };
  }

  @Override
  public ExecutionContext prepare(
      List<DeviceProgram> programs, List<Launch> launches, StagingSize io) {
    Map<String, JvmKernel> byName = new HashMap<>();
    programs.forEach(program -> byName.putAll(ours(program).byName()));
    JvmProgram all = new JvmProgram(name(programs), byName);
    List<JvmKernel> kernels = launches.stream().map(all::kernel).toList();
    return new JvmCommands(team, pool(), counters, launches, kernels);
  }

  private static JvmProgram ours(DeviceProgram program) {
    if (program instanceof JvmProgram ours) {
      return ours;
    }
    throw new IllegalArgumentException("the program was not built by this device");
  }

  private static String name(List<DeviceProgram> programs) {
    return programs.isEmpty() ? "" : ours(programs.getFirst()).name();
  }

  @Override
  public DriverCalls driverCalls() {
    return counters.calls(0);
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    team.close();
    arena.close();
  }

  /// Kernels by name.
  private record JvmProgram(String name, Map<String, JvmKernel> byName) implements DeviceProgram {

    JvmKernel kernel(Launch launch) {
      JvmKernel kernel = byName.get(launch.kernel());
      if (kernel == null || launch.work() instanceof Launch.Groups) {
        throw new IllegalArgumentException(
            "program '%s' has no kernel '%s' for %s".formatted(name, launch.kernel(), launch));
      }
      return kernel;
    }

    @Override
    public boolean cached() {
      return false;
    }

    @Override
    public int kernels() {
      return byName.size();
    }

    @Override
    public void close() {}
  }
}
