package io.miniinference.conformance;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.lower.Target;
import io.miniinference.testing.device.TestedDevice;
import io.miniinference.testing.device.UnoptimisedKernels;

/// Who writes the kernels of a test. Those for GPUs run on any OpenCL device.
enum Writer {
  JVM(Devices.Choice.JVM, new JvmTarget()),
  CPU(Devices.Choice.OPENCL, new CpuTarget().withByteSums()),
  GPU(Devices.Choice.OPENCL, new GpuTarget());

  private final Devices.Choice device;
  private final Target<?> generator;

  Writer(Devices.Choice device, Target<?> generator) {
    this.device = device;
    this.generator = generator;
  }

  static Writer of(TestedDevice tested) {
    return valueOf(tested.name());
  }

  /// A device of its own, to be closed.
  Rig open() {
    return open(generator);
  }

  /// A device of its own, to be closed, for another form of the writer.
  Rig open(Target<?> generator) {
    UnoptimisedKernels.set(this == GPU);
    return Rig.of(new Devices(TestCache.FOLDER).open(device), generator);
  }
}
