package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClUndecidedLoopsTest extends UndecidedLoopsContract {
  OpenClUndecidedLoopsTest() {
    super(TestedEngine.OPENCL);
  }
}
