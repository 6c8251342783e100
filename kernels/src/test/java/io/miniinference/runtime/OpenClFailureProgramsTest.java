package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// On the best OpenCL device.
@Tag("data")
@Tag("opencl")
final class OpenClFailureProgramsTest extends FailureProgramsContract {
  @Override
  String device() {
    return "opencl";
  }
}
