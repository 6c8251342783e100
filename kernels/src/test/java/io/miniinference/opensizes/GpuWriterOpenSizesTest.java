package io.miniinference.opensizes;

import org.junit.jupiter.api.Tag;

@Tag("opencl")
class GpuWriterOpenSizesTest extends OpenSizesContract {
  @Override
  String codegen() {
    return "gpu";
  }
}
