package io.miniinference.service.verify;

import org.junit.jupiter.api.Tag;

/// On an OpenCL device, with the kernels of the CPU writer.
@Tag("data")
@Tag("opencl")
final class CpuWriterMemoryProgramsTest extends OpenClMemoryProgramsContract {
  @Override
  String codegen() {
    return "cpu";
  }
}
