package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClRowValuesTest extends RowValuesContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  String codegen() {
    return System.getProperty("mie.codegen", "auto");
  }
}
