package io.miniinference.service.fullstack;

final class JvmDeviceLossTest extends DeviceLossContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  int losses() {
    return Integer.getInteger("mie.losses", 1000);
  }
}
