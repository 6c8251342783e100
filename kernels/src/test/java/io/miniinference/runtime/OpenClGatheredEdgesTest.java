package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the CPU writer's kernels.
@Tag("opencl")
final class OpenClGatheredEdgesTest extends GatheredEdgesContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return "cpu";
  }

  @Override
  boolean isFused() {
    return true;
  }
}
