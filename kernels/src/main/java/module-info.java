/// The engine: core IR to kernels, a plan and a schedule for one device, and models that serve
/// requests.
///
/// Another family of devices is a [io.miniinference.lower.TargetProvider] of another module.
module io.miniinference.kernels {
  requires static org.jspecify;
  requires transitive io.miniinference.memorypool;
  requires transitive io.miniinference.models;
  requires java.logging; // JOCL's
  requires jdk.management;
  requires jocl;
  requires re2j;

  exports io.miniinference.codegen;
  exports io.miniinference.cost;
  exports io.miniinference.device;
  exports io.miniinference.device.nvml;
  exports io.miniinference.listing;
  exports io.miniinference.lower;
  exports io.miniinference.runtime;
  exports io.miniinference.runtime.open;
  exports io.miniinference.schedule;
  exports io.miniinference.device.choice to
      io.miniinference.bench,
      io.miniinference.engine;
  exports io.miniinference.device.opencl to
      io.miniinference.bench;

  uses io.miniinference.lower.TargetProvider;

  provides io.miniinference.lower.TargetProvider with
      io.miniinference.codegen.cpu.CpuTargetProvider,
      io.miniinference.codegen.gpu.GpuTargetProvider,
      io.miniinference.codegen.jvm.JvmTargetProvider;
}
