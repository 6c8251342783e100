package io.miniinference.service.verify;

import org.junit.jupiter.api.Tag;

/// Open models on OpenCL.
@Tag("opencl")
final class OpenClOpenModelsTest extends OpenModelsContract {
  @Override
  String device() {
    return "opencl";
  }
}
