package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device, with the writer that suits it.
@Tag("opencl")
final class OpenClRuntimeTest extends RuntimeContract {
  @Override
  String device() {
    return "opencl";
  }
}
