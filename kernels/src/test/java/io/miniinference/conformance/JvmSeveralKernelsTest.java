package io.miniinference.conformance;

/// The JVM device.
final class JvmSeveralKernelsTest extends SeveralKernelsContract {
  @Override
  Writer writer() {
    return Writer.JVM;
  }
}
