package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// An OpenCL device with the GPU writer's kernels, which have barriers.
@Tag("opencl")
final class GpuWriterGatheredEdgesTest extends GatheredEdgesContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return "gpu";
  }

  @Override
  boolean isFused() {
    return true;
  }
}
