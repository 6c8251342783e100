package io.miniinference.runtime;

/// The JVM device.
final class JvmDataFailuresTest extends DataFailuresContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
