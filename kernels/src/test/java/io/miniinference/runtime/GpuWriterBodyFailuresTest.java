package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels.
@Tag("opencl")
final class GpuWriterBodyFailuresTest extends BodyFailuresContract {
  GpuWriterBodyFailuresTest() {
    super(TestedEngine.GPU_WRITER);
  }
}
