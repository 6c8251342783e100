package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterConformanceTest extends Conformance {
  @Override
  int randomPrograms() {
    return 4;
  }

  @Override
  Writer writer() {
    return Writer.CPU;
  }
}
