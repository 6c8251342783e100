package io.miniinference.engine;

/// The JVM device.
final class JvmLibraryTest extends LibraryContract {
  @Override
  String device() {
    return "jvm";
  }
}
