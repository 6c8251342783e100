package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels.
@Tag("opencl")
final class GpuWriterUndecidedLoopsTest extends UndecidedLoopsContract {
  GpuWriterUndecidedLoopsTest() {
    super(TestedEngine.GPU_WRITER);
  }
}
