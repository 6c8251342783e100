package io.miniinference.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One computation of a graph: an operator, an optional epilogue that is applied to each element of
/// its result before it is stored, and one output.
///
/// In the epilogue [Expr.Arg] 0 is the operator's result; [Expr.Arg] `k` is input `operands + k −
/// 1`, broadcast to the output. An [Op.Elementwise] or [Op.View] has none.
///
/// @param name the ONNX node's name, or `#k` by its place in its graph
/// @param onnxOp the ONNX operator it came from, for messages
/// @param operands how many leading inputs belong to the operator itself
/// @param inputs operands, then what the epilogue reads
public record Node(
    String name,
    String onnxOp,
    Op op,
    @Nullable Expr epilogue,
    int operands,
    List<Value> inputs,
    Value output) {
  public Node {
    inputs = List.copyOf(inputs);
    if (epilogue == null && operands != inputs.size()) {
      throw new IllegalArgumentException("node '" + name + "' has inputs that nothing reads");
    }
  }

  public static Node of(String name, String onnxOp, Op op, List<Value> inputs, Value output) {
    return new Node(name, onnxOp, op, null, inputs.size(), inputs, output);
  }

  public List<Value> operandValues() {
    return inputs.subList(0, operands);
  }

  /// What the epilogue reads besides the operator's result.
  public List<Value> epilogueValues() {
    return inputs.subList(operands, inputs.size());
  }
}
