package io.miniinference.ops;

/// The ONNX operators that the engine imports: every family, in one table.
final class Operators {
  static final OpTable TABLE = build();

  private Operators() {}

  private static OpTable build() {
    var table = new OpTable();
    MathOps.addTo(table);
    ActivationOps.addTo(table);
    LogicOps.addTo(table);
    CastOps.addTo(table);
    ReduceOps.addTo(table);
    TopKOps.addTo(table);
    ShapeOps.addTo(table);
    MovementOps.addTo(table);
    PadOps.addTo(table);
    ResizeOps.addTo(table);
    GatherOps.addTo(table);
    ScatterOps.addTo(table);
    LossOps.addTo(table);
    ConstantOps.addTo(table);
    MatMulOps.addTo(table);
    ConvOps.addTo(table);
    PoolOps.addTo(table);
    NormOps.addTo(table);
    QuantOps.addTo(table);
    AttentionRule.addTo(table);
    ControlOps.addTo(table);
    return table;
  }
}
