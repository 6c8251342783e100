package io.miniinference.ops.text;

import io.miniinference.ops.node.OpTable;

/// Operators that know strings, and the encoders of `ai.onnx.ml` that give them numbers.
public final class TextOps {
  private TextOps() {}

  public static void addTo(OpTable table) {
    LabelEncoderRule.addTo(table);
    CategoryOps.addTo(table);
    TfIdfRule.addTo(table);
  }
}
