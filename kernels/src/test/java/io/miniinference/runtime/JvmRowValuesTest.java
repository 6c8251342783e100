package io.miniinference.runtime;

/// The JVM device.
final class JvmRowValuesTest extends RowValuesContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }
}
