package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClUnknownSizesTest extends UnknownSizesContract {
  OpenClUnknownSizesTest() {
    super(TestedEngine.OPENCL);
  }
}
