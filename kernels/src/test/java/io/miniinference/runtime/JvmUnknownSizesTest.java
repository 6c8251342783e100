package io.miniinference.runtime;

/// The JVM device.
final class JvmUnknownSizesTest extends UnknownSizesContract {
  JvmUnknownSizesTest() {
    super(TestedEngine.JVM);
  }
}
