package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels.
@Tag("opencl")
final class GpuWriterRowValuesTest extends RowValuesContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return "gpu";
  }
}
