package io.miniinference.service.fullstack;

/// Open dimensions on the JVM device.
final class JvmOpenShapesTest extends OpenShapesContract {
  @Override
  String device() {
    return "jvm";
  }
}
