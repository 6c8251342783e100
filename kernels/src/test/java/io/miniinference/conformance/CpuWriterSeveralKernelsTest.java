package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterSeveralKernelsTest extends SeveralKernelsContract {
  @Override
  Writer writer() {
    return Writer.CPU;
  }
}
