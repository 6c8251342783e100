package io.miniinference.device.cuda;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.driver.DriverDevice;
import io.miniinference.device.opencl.OpenClTarget;
import io.miniinference.device.opencl.PtxCompiler;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// An NVIDIA GPU behind the CUDA driver. Its kernels are those of the OpenCL device, as NVIDIA's
/// compiler of OpenCL C writes them ([PtxCompiler]); what differs is that the driver takes a whole
/// run in one call ([CudaGraph]), where OpenCL takes a launch at a time.
public final class CudaDevice extends DriverDevice<CudaPool, CudaProgram> {
  private final DeviceInfo info;
  private final PtxCompiler compiler;
  private final CudaContext context;
  private final CudaCopies copies;

  /// @param target the GPU as OpenCL has it
  /// @param cacheDirectory for built programs
  /// @throws DeviceException if the driver is not there, or does not open the GPU
  public CudaDevice(OpenClTarget target, Path cacheDirectory) {
    super(CudaProgram.class);
    info = info(target.info());
    compiler = new PtxCompiler(target, cacheDirectory, counters());
    context = CudaContext.open(PtxCompiler.busId(target), counters(), this::lost);
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
        CudaStreams.COUNT,
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

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  protected CudaPool allocate(long capacityBytes) {
    return CudaPool.open(context, capacityBytes);
  }

  @Override
  public DeviceProgram build(ProgramCode code) {
    checkOpen();
    CudaProgram program =
        new CudaProgram(context, code, compiler.compile(code), programs()::remove);
    programs().add(program);
    return program;
  }

  @Override
  public ExecutionContext prepare(
      List<DeviceProgram> programs, List<Launch> launches, StagingSize io) {
    List<CudaProgram> ours = programs.stream().map(this::ours).toList();
    return prepared(
        new CudaCommands(
            context,
            submitting(),
            pool(),
            copies,
            launches,
            launch -> kernel(ours, launch),
            io,
            this::closed));
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
    return counters().calls(programs().stream().mapToInt(CudaProgram::kernels).sum());
  }

  @Override
  protected void finish() {
    context.release(context::finish);
  }

  @Override
  protected void closeDriver() {
    copies.close();
    context.close();
    compiler.close();
  }
}
