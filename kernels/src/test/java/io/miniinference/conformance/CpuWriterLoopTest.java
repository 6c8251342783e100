package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterLoopTest extends LoopContract {
  @Override
  Writer writer() {
    return Writer.CPU;
  }
}
