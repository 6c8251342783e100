package io.miniinference.service.fullstack;

import org.junit.jupiter.api.Tag;

/// `-Dmie.losses=1000` for more.
@Tag("opencl")
final class OpenClDeviceLossTest extends DeviceLossContract {
  @Override
  String device() {
    return "opencl";
  }

  @Override
  int losses() {
    return Integer.getInteger("mie.losses", 50);
  }
}
