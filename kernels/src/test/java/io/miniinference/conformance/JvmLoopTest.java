package io.miniinference.conformance;

/// The JVM device.
final class JvmLoopTest extends LoopContract {
  @Override
  Writer writer() {
    return Writer.JVM;
  }
}
