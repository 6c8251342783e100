package io.miniinference.conformance;

/// The JVM device.
final class JvmFiguresTest extends FiguresContract {
  @Override
  Writer writer() {
    return Writer.JVM;
  }
}
