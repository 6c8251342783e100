package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The CPU writer on an OpenCL device.
@Tag("opencl")
final class CpuWriterFiguresTest extends FiguresContract {
  @Override
  Writer writer() {
    return Writer.CPU;
  }
}
