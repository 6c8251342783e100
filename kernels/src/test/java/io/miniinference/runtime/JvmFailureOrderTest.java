package io.miniinference.runtime;

/// The JVM device.
final class JvmFailureOrderTest extends FailureOrderContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
