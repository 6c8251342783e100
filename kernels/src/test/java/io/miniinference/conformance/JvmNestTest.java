package io.miniinference.conformance;

/// The JVM device.
final class JvmNestTest extends NestContract {
  @Override
  Writer writer() {
    return Writer.JVM;
  }

  @Override
  int randomGraphs() {
    return 500;
  }

  @Override
  int faultyGraphs() {
    return 400;
  }
}
