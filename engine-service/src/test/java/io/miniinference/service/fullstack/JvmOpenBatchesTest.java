package io.miniinference.service.fullstack;

/// Batches of open sizes on the JVM device.
final class JvmOpenBatchesTest extends OpenBatchesContract {
  @Override
  String device() {
    return "jvm";
  }
}
