package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterBranchTest extends BranchContract {
  @Override
  Writer writer() {
    return Writer.CPU;
  }
}
