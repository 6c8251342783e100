package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the CPU writer's kernels.
@Tag("opencl")
final class OpenClRowEndsTest extends RowEndsContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return "cpu";
  }
}
