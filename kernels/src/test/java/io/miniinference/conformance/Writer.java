package io.miniinference.conformance;

import io.miniinference.codegen.cpu.CpuGenerator;
import io.miniinference.codegen.gpu.GpuGenerator;
import io.miniinference.codegen.jvm.JvmGenerator;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.lower.CodeGenerator;

/// Who writes the kernels of a test. Those for GPUs run on any OpenCL device.
enum Writer {
  JVM(Devices.Choice.JVM, new JvmGenerator()),
  CPU(Devices.Choice.OPENCL, new CpuGenerator()),
  GPU(Devices.Choice.OPENCL, new GpuGenerator());

  private final Devices.Choice device;
  private final CodeGenerator generator;

  Writer(Devices.Choice device, CodeGenerator generator) {
    this.device = device;
    this.generator = generator;
  }

  /// A device of its own, to be closed.
  Rig open() {
    return Rig.of(new Devices(TestCache.FOLDER).open(device), generator);
  }
}
