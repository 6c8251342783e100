package io.miniinference.ops.ml;

import io.miniinference.ops.node.OpTable;

/// The operators of the domain `ai.onnx.ml` that the engine imports, family by family.
public final class MlOps {
  private MlOps() {}

  public static void addTo(OpTable table) {
    TreeEnsembleOps.addTo(table);
    TreeEnsembleRule.addTo(table);
    LinearOps.addTo(table);
    SvmOps.addTo(table);
    ScalingOps.addTo(table);
    FeatureOps.addTo(table);
  }
}
