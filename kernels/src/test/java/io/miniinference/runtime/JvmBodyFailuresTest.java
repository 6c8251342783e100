package io.miniinference.runtime;

/// The JVM device.
final class JvmBodyFailuresTest extends BodyFailuresContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
