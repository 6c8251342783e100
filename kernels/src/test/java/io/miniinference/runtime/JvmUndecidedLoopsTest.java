package io.miniinference.runtime;

/// The JVM device.
final class JvmUndecidedLoopsTest extends UndecidedLoopsContract {
  JvmUndecidedLoopsTest() {
    super(TestedEngine.JVM);
  }
}
