package io.miniinference.loading;

import org.junit.jupiter.api.Tag;

/// `-Dmie.cycles=10000` for more.
@Tag("opencl")
final class OpenClLoadCyclesTest extends LoadCyclesContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  int cycles() {
    return Integer.getInteger("mie.cycles", 100);
  }
}
