package io.miniinference.ops;

import io.miniinference.ops.contrib.ContribOps;
import io.miniinference.ops.control.ControlOps;
import io.miniinference.ops.lists.ListOps;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.math.CastOps;
import io.miniinference.ops.math.LogicOps;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.math.MathOps;
import io.miniinference.ops.math.ReduceOps;
import io.miniinference.ops.math.TopKOps;
import io.miniinference.ops.math.TrialOps;
import io.miniinference.ops.ml.MlOps;
import io.miniinference.ops.movement.ConstantOps;
import io.miniinference.ops.movement.DataSizeOps;
import io.miniinference.ops.movement.GatherOps;
import io.miniinference.ops.movement.MovementOps;
import io.miniinference.ops.movement.PadOps;
import io.miniinference.ops.movement.ScatterOps;
import io.miniinference.ops.movement.ShapeOps;
import io.miniinference.ops.nn.AffineGridRule;
import io.miniinference.ops.nn.AttentionRule;
import io.miniinference.ops.nn.Col2ImRule;
import io.miniinference.ops.nn.ConvOps;
import io.miniinference.ops.nn.DeformConvRule;
import io.miniinference.ops.nn.GridSampleRule;
import io.miniinference.ops.nn.LossOps;
import io.miniinference.ops.nn.NonMaxSuppressionRule;
import io.miniinference.ops.nn.NormOps;
import io.miniinference.ops.nn.PoolOps;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.nn.ResizeOps;
import io.miniinference.ops.nn.RoiAlignRule;
import io.miniinference.ops.node.OpTable;
import io.miniinference.ops.recurrent.RecurrentOps;
import io.miniinference.ops.signal.FourierOps;
import io.miniinference.ops.signal.MelRule;
import io.miniinference.ops.text.TextOps;

/// The ONNX operators that the engine imports: every family, in one table.
final class Operators {
  static final OpTable TABLE = build();

  private Operators() {}

  private static OpTable build() {
    var table = new OpTable();
    MathOps.addTo(table);
    ActivationOps.addTo(table);
    TrialOps.addTo(table);
    LogicOps.addTo(table);
    CastOps.addTo(table);
    ReduceOps.addTo(table);
    TopKOps.addTo(table);
    ShapeOps.addTo(table);
    MovementOps.addTo(table);
    PadOps.addTo(table);
    ResizeOps.addTo(table);
    GridSampleRule.addTo(table);
    AffineGridRule.addTo(table);
    RoiAlignRule.addTo(table);
    NonMaxSuppressionRule.addTo(table);
    GatherOps.addTo(table);
    DataSizeOps.addTo(table);
    ScatterOps.addTo(table);
    LossOps.addTo(table);
    ConstantOps.addTo(table);
    MatMulOps.addTo(table);
    ConvOps.addTo(table);
    DeformConvRule.addTo(table);
    Col2ImRule.addTo(table);
    PoolOps.addTo(table);
    NormOps.addTo(table);
    QuantOps.addTo(table);
    AttentionRule.addTo(table);
    ControlOps.addTo(table);
    ListOps.addTo(table);
    RecurrentOps.addTo(table);
    FourierOps.addTo(table);
    MelRule.addTo(table);
    ContribOps.addTo(table);
    MlOps.addTo(table);
    TextOps.addTo(table);
    return table;
  }
}
