package io.miniinference.conformance;

import io.miniinference.codegen.cpu.CpuGenerator;
import io.miniinference.device.Devices;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterLoopTest extends LoopContract {
  @Override
  Rig open() {
    Devices devices = new Devices(Path.of("target", "device-cache"));
    return Rig.of(devices.open(Devices.Choice.OPENCL), new CpuGenerator());
  }
}
