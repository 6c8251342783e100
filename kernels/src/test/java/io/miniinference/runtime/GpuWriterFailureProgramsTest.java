package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels.
@Tag("data")
@Tag("opencl")
final class GpuWriterFailureProgramsTest extends FailureProgramsContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return "gpu";
  }
}
