package io.miniinference.opensizes;

import org.junit.jupiter.api.Tag;

@Tag("opencl")
class OpenClOpenSizesTest extends OpenSizesContract {
  @Override
  String codegen() {
    return "auto";
  }
}
