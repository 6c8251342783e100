package io.miniinference.service.fullstack;

import org.junit.jupiter.api.Tag;

/// Batches of open sizes on an OpenCL device.
@Tag("opencl")
final class OpenClOpenBatchesTest extends OpenBatchesContract {
  @Override
  String device() {
    return "opencl";
  }
}
