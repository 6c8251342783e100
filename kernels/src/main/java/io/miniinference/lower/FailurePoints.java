package io.miniinference.lower;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import org.jspecify.annotations.Nullable;

/// Which steps can fail, and whose a failure is.
final class FailurePoints {
  private FailurePoints() {}

  static @Nullable FailurePoint of(int step, Node node) {
    return switch (node.op()) {
      case Op.Gather gather -> indexed(step, node, gather.selection());
      case Op.Scatter scatter -> indexed(step, node, scatter.selection());
      case Op.Elementwise _,
          Op.Reduce _,
          Op.View _,
          Op.Concat _,
          Op.MatMul _,
          Op.Conv _,
          Op.ConvTranspose _,
          Op.WindowReduce _,
          Op.Softmax _,
          Op.Normalize _,
          Op.Scan _,
          Op.Control _ ->
          null;
    };
  }

  private static FailurePoint indexed(int step, Node node, Selection selection) {
    TensorType indices = node.inputs().get(1).type();
    int axis = Addressing.of(selection, node.inputs().getFirst().type(), indices).dataAxis(0);
    boolean perRow = indices.rank() > 0 && indices.dim(0).equals(Affine.N);
    long positions = 1;
    for (int i = 1; perRow && i < indices.rank(); i++) {
      positions = Math.multiplyExact(positions, indices.dim(i).asConstant());
    }
    return new FailurePoint(step, node.name(), node.onnxOp(), axis, perRow, positions);
  }
}
