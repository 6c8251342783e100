package io.miniinference.engine;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClLibraryTest extends LibraryContract {
  @Override
  String device() {
    return "opencl";
  }
}
