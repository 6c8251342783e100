package io.miniinference.runtime;

/// The JVM device.
final class JvmEarlierFailuresTest extends EarlierFailuresContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
