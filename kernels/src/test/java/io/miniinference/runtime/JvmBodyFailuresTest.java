package io.miniinference.runtime;

/// The JVM device.
final class JvmBodyFailuresTest extends BodyFailuresContract {
  JvmBodyFailuresTest() {
    super(TestedEngine.JVM);
  }
}
