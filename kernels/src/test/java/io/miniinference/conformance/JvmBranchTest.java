package io.miniinference.conformance;

/// The JVM device.
final class JvmBranchTest extends BranchContract {
  @Override
  Writer writer() {
    return Writer.JVM;
  }
}
