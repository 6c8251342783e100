package io.miniinference.ops.control;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// Operators with bodies ([If](https://onnx.ai/onnx/operators/onnx__If.html),
/// [Loop](https://onnx.ai/onnx/operators/onnx__Loop.html),
/// [Scan](https://onnx.ai/onnx/operators/onnx__Scan.html)).
public final class ControlOps {
  private ControlOps() {}

  public static void addTo(OpTable table) {
    table.joining().rows("If", 1, "1", "then_branch else_branch", c -> new IfRule(c).lower());
    table
        .rows("Loop", 1, "0-*", "body", c -> new LoopRule(c).lower())
        .rows(
            "Scan",
            8,
            "2-*",
            "body num_scan_inputs directions",
            c -> new ScanRule(c).lowerWithBatch())
        .rows(
            "Scan",
            9,
            "1-*",
            "body num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions",
            c -> new ScanRule(c).lower());
  }

  /// A value of one element as a scalar of the type that it must have.
  static Value scalar(Emitter e, Value value, ElementType type, String what) {
    if (value.type().element() != type || !value.type().elements().equals(Affine.ONE)) {
      throw LoweringFault.of("has %s %s, which must be one %s".formatted(what, value, type));
    }
    return e.reshape(value, List.of());
  }

  static boolean isTrue(Tensor condition) {
    return SmallTensors.integers(condition)[0] != 0;
  }
}
