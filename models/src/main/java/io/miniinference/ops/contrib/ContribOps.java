package io.miniinference.ops.contrib;

import io.miniinference.ops.node.OpTable;

/// The operators of ONNX Runtime's domain that the engine imports, family by family.
public final class ContribOps {
  private ContribOps() {}

  public static void addTo(OpTable table) {
    QLinearOps.addTo(table);
    QuantisedProducts.addTo(table);
    QuantisedLayers.addTo(table);
    FusedProducts.addTo(table);
    FusedActivations.addTo(table);
    FusedNorms.addTo(table);
    AttentionOps.addTo(table);
    GroupQueryRule.addTo(table);
    BlockWeights.addTo(table);
  }
}
