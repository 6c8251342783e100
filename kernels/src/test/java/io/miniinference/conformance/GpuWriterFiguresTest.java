package io.miniinference.conformance;

import org.junit.jupiter.api.Tag;

/// The GPU writer, whose kernels run on any OpenCL device.
@Tag("opencl")
final class GpuWriterFiguresTest extends FiguresContract {
  @Override
  Writer writer() {
    return Writer.GPU;
  }
}
