package io.miniinference.conformance;

/// The JVM device.
final class JvmConformanceTest extends Conformance {
  @Override
  int randomPrograms() {
    return 30;
  }

  @Override
  Writer writer() {
    return Writer.JVM;
  }
}
