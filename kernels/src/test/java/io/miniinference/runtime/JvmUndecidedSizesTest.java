package io.miniinference.runtime;

/// The JVM device.
final class JvmUndecidedSizesTest extends UndecidedSizesContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
