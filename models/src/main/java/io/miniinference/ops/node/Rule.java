package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import java.util.List;

/// How an ONNX operator is written in core IR.
@FunctionalInterface
public interface Rule {

  /// The values of the node's outputs, in order; trailing outputs that are not supported are left
  /// out.
  ///
  /// @throws io.miniinference.ops.draft.LoweringFault if the node asks for what cannot be lowered
  List<Value> lower(OpContext node);
}
