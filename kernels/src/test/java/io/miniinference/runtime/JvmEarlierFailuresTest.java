package io.miniinference.runtime;

/// The JVM device.
final class JvmEarlierFailuresTest extends EarlierFailuresContract {
  JvmEarlierFailuresTest() {
    super(TestedEngine.JVM);
  }
}
