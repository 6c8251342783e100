package io.miniinference.conformance;

import io.miniinference.codegen.gpu.GpuGenerator;
import io.miniinference.device.Devices;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/// The GPU writer, whose kernels run on any OpenCL device.
@Tag("opencl")
final class GpuWriterBranchTest extends BranchContract {
  @Override
  Rig open() {
    Devices devices = new Devices(Path.of("target", "device-cache"));
    return Rig.of(devices.open(Devices.Choice.OPENCL), new GpuGenerator());
  }
}
