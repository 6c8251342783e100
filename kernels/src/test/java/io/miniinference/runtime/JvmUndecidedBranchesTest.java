package io.miniinference.runtime;

/// The JVM device.
final class JvmUndecidedBranchesTest extends UndecidedBranchesContract {
  JvmUndecidedBranchesTest() {
    super(TestedEngine.JVM);
  }
}
