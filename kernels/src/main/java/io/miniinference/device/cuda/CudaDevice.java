package io.miniinference.device.cuda;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.host.Counters;
import io.miniinference.device.opencl.OpenClTarget;
import io.miniinference.device.opencl.PtxCompiler;
import io.miniinference.device.team.Gate;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// An NVIDIA GPU behind the CUDA driver. Its kernels are those of the OpenCL device, as NVIDIA's
/// compiler of OpenCL C writes them ([PtxCompiler]); what differs is that the driver takes a whole
/// run in one call ([CudaGraph]), where OpenCL takes a launch at a time.
public final class CudaDevice implements Device {
  private final DeviceInfo info;
  private final Counters counters = new Counters();
  private final PtxCompiler compiler;
  private final CudaContext context;
  private final CudaCopies copies;
  private final Gate submitting = new Gate(1);
  private final Set<CudaProgram> programs = ConcurrentHashMap.newKeySet();
  private final Set<ExecutionContext> sequences = ConcurrentHashMap.newKeySet();
  private @Nullable CudaPool pool;
  private boolean closed;
  private volatile boolean healthy = true;

  /// @param target the GPU as OpenCL has it
  /// @param cacheDirectory for built programs
  /// @throws DeviceException if the driver is not there, or does not open the GPU
  public CudaDevice(OpenClTarget target, Path cacheDirectory) {
    info = info(target.info());
    compiler = new PtxCompiler(target, cacheDirectory, counters);
    context = CudaContext.open(PtxCompiler.busId(target), counters, this::lost);
    try {
      copies = new CudaCopies(context, compiler);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /// A GPU as this driver has it, which gives all of its memory in one piece.
  public static DeviceInfo info(DeviceInfo openCl) {
    return new DeviceInfo(
        openCl.kind(),
        openCl.name(),
        openCl.vendor(),
        openCl.driver(),
        openCl.platform(),
        openCl.workers(),
        openCl.memoryBytes(),
        openCl.memoryBytes(),
        openCl.localMemoryBytes(),
        openCl.hostShared(),
        openCl.doubles(),
        openCl.tensorCores(),
        openCl.byteSums());
  }

  /// Whether a device is a GPU of NVIDIA's and this host has the driver.
  public static boolean suits(DeviceInfo info) {
    return PtxCompiler.suits(info) && Cuda.isThere();
  }

  private void lost() {
    healthy = false;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public boolean healthy() {
    return healthy;
  }

  @Override
  public synchronized void openPool(long capacityBytes) {
    if (pool != null || closed) {
      throw new IllegalStateException(closed ? "the device is closed" : "the pool is open already");
    }
    if (capacityBytes <= 0 || capacityBytes > info.maxPoolBytes()) {
      throw new DeviceException(
          "a pool of %,d bytes: %s has %,d; set engine.pool.capacity lower"
              .formatted(capacityBytes, info.name(), info.maxPoolBytes()));
    }
    pool = CudaPool.open(context, capacityBytes);
  }

  private synchronized CudaPool pool() {
    if (pool == null || closed) {
      throw new IllegalStateException(closed ? "the device is closed" : "no pool is open");
    }
    return pool;
  }

  @Override
  public void upload(long poolOffsetBytes, MemorySegment source) {
    pool().upload(poolOffsetBytes, source);
  }

  @Override
  public void download(long poolOffsetBytes, MemorySegment target) {
    pool().download(poolOffsetBytes, target);
  }

  @Override
  public DeviceProgram build(ProgramCode code) {
    checkOpen();
    CudaProgram program = new CudaProgram(context, code, compiler.compile(code), programs::remove);
    programs.add(program);
    return program;
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the device is closed");
    }
  }

  @Override
  public ExecutionContext prepare(
      List<DeviceProgram> programs, List<Launch> launches, StagingSize io) {
    List<CudaProgram> ours = programs.stream().map(this::ours).toList();
    CudaCommands commands =
        new CudaCommands(
            context,
            submitting,
            pool(),
            copies,
            launches,
            launch -> kernel(ours, launch),
            io,
            sequences::remove);
    sequences.add(commands);
    return commands;
  }

  private CudaProgram ours(DeviceProgram program) {
    if (program instanceof CudaProgram ours && programs.contains(ours)) {
      return ours;
    }
    throw new IllegalArgumentException("the program was not built by this device, or is closed");
  }

  /* Where none has it, the first tells. */
  private static CudaProgram.Kernel kernel(List<CudaProgram> programs, Launch launch) {
    return programs.stream()
        .filter(program -> program.has(launch))
        .findFirst()
        .orElse(programs.getFirst())
        .kernel(launch);
  }

  @Override
  public Optional<KernelBuild> building() {
    return compiler.building();
  }

  @Override
  public DriverCalls driverCalls() {
    return counters.calls(programs.stream().mapToInt(CudaProgram::kernels).sum());
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    submitting.close();
    context.release(context::finish);
    List.copyOf(sequences).forEach(ExecutionContext::close);
    List.copyOf(programs).forEach(CudaProgram::close);
    copies.close();
    if (pool != null) {
      pool.close();
    }
    context.close();
    compiler.close();
  }
}
