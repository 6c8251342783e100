package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.opencl.PtxCompiler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A program that the driver has loaded from its PTX.
final class CudaProgram implements DeviceProgram {
  private final CudaContext context;
  private final MemorySegment module;
  private final String name;
  private final boolean cached;
  private final Consumer<CudaProgram> onClose;
  private final Map<String, Kernel> kernels = new HashMap<>();
  private boolean closed;

  /// @param arguments number of byte offsets that it takes
  /// @param isLaunched whether it was, so that the driver has loaded it
  record Kernel(MemorySegment function, int arguments, AtomicBoolean isLaunched) {}

  CudaProgram(
      CudaContext context, ProgramCode code, PtxCompiler.Ptx ptx, Consumer<CudaProgram> onClose) {
    this.context = context;
    this.onClose = onClose;
    name = code.name();
    cached = ptx.cached();
    context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      Cuda.call(
          "cuModuleLoadData of program '" + name + "'",
          Cuda.find("cuModuleLoadData", ADDRESS, ADDRESS),
          made,
          arena.allocateFrom(ptx.text()));
      module = made.get(ADDRESS, 0);
    }
    code.kernels().forEach(this::find);
    context.counters().allocations.increment();
    if (!cached) { // its build was counted by the compiler
      context.counters().compiled.add(kernels.size());
    }
  }

  private void find(ProgramCode.KernelCode code) {
    if (!(code instanceof ProgramCode.OpenClKernel kernel)) {
      throw new DeviceException(
          "program '%s': kernel '%s' is Java, and this device runs OpenCL C"
              .formatted(name, code.name()));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      Cuda.call(
          "cuModuleGetFunction of '" + kernel.name() + "'",
          Cuda.find("cuModuleGetFunction", ADDRESS, ADDRESS, ADDRESS),
          made,
          module,
          arena.allocateFrom(kernel.name()));
      kernels.put(
          kernel.name(), new Kernel(made.get(ADDRESS, 0), kernel.arguments(), new AtomicBoolean()));
    }
  }

  boolean has(Launch launch) {
    return kernels.containsKey(launch.kernel());
  }

  /// The driver's handle of a kernel.
  MemorySegment function(String kernel) {
    return Objects.requireNonNull(kernels.get(kernel), kernel).function;
  }

  /// The kernel of a launch.
  Kernel kernel(Launch launch) {
    Kernel kernel = kernels.get(launch.kernel());
    if (kernel == null || kernel.arguments != launch.offsets().size()) {
      throw new IllegalArgumentException(
          "program '%s': the launch of kernel '%s' gives %d offsets, and the program has %s"
              .formatted(
                  name,
                  launch.kernel(),
                  launch.offsets().size(),
                  kernel == null ? "no such kernel" : "one that takes " + kernel.arguments));
    }
    return kernel;
  }

  @Override
  public boolean cached() {
    return cached;
  }

  @Override
  public int kernels() {
    return kernels.size();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      context.release(
          () -> Cuda.call("cuModuleUnload", Cuda.find("cuModuleUnload", ADDRESS), module));
      onClose.accept(this);
    }
  }
}
