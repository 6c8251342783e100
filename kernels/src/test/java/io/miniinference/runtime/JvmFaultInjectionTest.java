package io.miniinference.runtime;

/// The JVM device.
final class JvmFaultInjectionTest extends FaultInjectionContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }

  @Override
  int graphs() {
    return 50;
  }
}
