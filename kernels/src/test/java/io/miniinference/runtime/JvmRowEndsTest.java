package io.miniinference.runtime;

/// The JVM device.
final class JvmRowEndsTest extends RowEndsContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
