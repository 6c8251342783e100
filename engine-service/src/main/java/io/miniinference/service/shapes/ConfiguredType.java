package io.miniinference.service.shapes;

import io.miniinference.signature.TensorSpec;

/// Names of element types in a model configuration: those of the protocol, but for strings.
public final class ConfiguredType {
  private ConfiguredType() {}

  /// `TYPE_FP32`, `TYPE_STRING`, …
  public static String of(TensorSpec spec) {
    return spec.isOfStrings() ? "TYPE_STRING" : "TYPE_" + spec.v2Name();
  }
}
