package io.miniinference.loading;

/// `-Dmie.cycles=10000` for more.
final class JvmLoadCyclesTest extends LoadCyclesContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  int cycles() {
    return Integer.getInteger("mie.cycles", 1000);
  }
}
