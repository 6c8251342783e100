package io.miniinference.runtime;

/// The JVM device.
final class JvmArithmeticTest extends ArithmeticContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
