package io.miniinference.ops.math;

import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.List;
import java.util.Optional;

/// Broadcasting before opset 7, for which operators of two inputs had attributes: the axes of the
/// second input are those of the first from `axis` on, or without it the last ones ([ONNX
/// Add](https://onnx.ai/onnx/operators/onnx__Add.html#add-6)).
final class EarlyBroadcast {
  /// The attributes of such an operator.
  static final String ATTRIBUTES = "axis broadcast=0";

  private EarlyBroadcast() {}

  /// The node as opset 7 has it: the second input has axes of size one behind its own, so that they
  /// stand where `axis` has them.
  ///
  /// Shapes that had to be equal, without `broadcast`, may differ as they may since opset 7.
  static OpContext today(OpContext c) {
    long axis = c.hasAttr("axis") ? c.attrInt("axis") : -1;
    if (axis < 0 || !c.attrBool("broadcast")) {
      return c;
    }
    long behind = c.rank(0) - axis - c.rank(1);
    if (behind < 0) {
      throw LoweringFault.of(
          "has axis %d, from which on %s has fewer axes than %s"
              .formatted(axis, c.type(0), c.type(1)));
    }
    Value aligned = c.unsqueeze(c.in(1), c.rank(1), Math.toIntExact(behind));
    return c.with(List.of(Optional.of(c.in(0)), Optional.of(aligned)));
  }
}
