package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the kernels that suit it.
@Tag("opencl")
final class OpenClLoopTest extends LoopContract {
  @Override
  String device() {
    return "opencl";
  }
}
