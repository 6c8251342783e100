package io.miniinference.runtime;

/// The JVM device.
final class JvmLoopTest extends LoopContract {
  @Override
  String device() {
    return "jvm";
  }
}
