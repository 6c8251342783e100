package io.miniinference.runtime;

/// What a contract is held to: a device, and who writes its kernels.
enum TestedEngine {
  JVM("jvm", "auto"),
  /// The best OpenCL device.
  OPENCL("opencl", System.getProperty("mie.codegen", "auto")),
  /// An OpenCL device with the GPU writer's kernels.
  GPU_WRITER("opencl", "gpu");

  private final String device;
  private final String codegen;

  TestedEngine(String device, String codegen) {
    this.device = device;
    this.codegen = codegen;
  }

  String device() {
    return device;
  }

  String codegen() {
    return codegen;
  }
}
