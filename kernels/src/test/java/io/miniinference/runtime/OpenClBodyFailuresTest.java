package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClBodyFailuresTest extends BodyFailuresContract {
  OpenClBodyFailuresTest() {
    super(TestedEngine.OPENCL);
  }
}
