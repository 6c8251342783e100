package io.miniinference.runtime;

/// The JVM device.
final class JvmRuntimeTest extends RuntimeContract {
  @Override
  String device() {
    return "jvm";
  }
}
