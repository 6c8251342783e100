package io.miniinference.ops.node;

import io.miniinference.onnx.tensor.OnnxType;

/// Names of element types in messages.
public final class ElementTypes {
  private ElementTypes() {}

  /// An ONNX type that the core IR does not have.
  public static String unsupported(int number) {
    return OnnxType.of(number).map(OnnxType::name).orElse("number " + number)
        + ", which is not supported";
  }
}
