package io.miniinference.runtime;

/// The JVM device, where each node has a kernel of its own.
final class JvmGatheredEdgesTest extends GatheredEdgesContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }

  @Override
  boolean isFused() {
    return false;
  }
}
