package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClEarlierFailuresTest extends EarlierFailuresContract {
  OpenClEarlierFailuresTest() {
    super(TestedEngine.OPENCL);
  }
}
