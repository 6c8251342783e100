package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels.
@Tag("opencl")
final class GpuWriterUndecidedBranchesTest extends UndecidedBranchesContract {
  GpuWriterUndecidedBranchesTest() {
    super(TestedEngine.GPU_WRITER);
  }
}
