package io.miniinference.ir;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One computation of a graph: an operator, an optional epilogue that is applied to each element of
/// its result before it is stored, and its outputs, as many as [io.miniinference.ir.type.OpType]
/// gives types.
///
/// In the epilogue [Expr.Arg] 0 is the operator's result; [Expr.Arg] `k` is input `operands + k −
/// 1`, broadcast to the output. An [Op.Elementwise], [Op.View], [Op.Positional] or [Op.Control] has
/// none, nor has a node of several outputs.
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
    List<Value> outputs) {
  public Node {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("node '" + name + "' has no output");
    }
    if (epilogue == null && operands != inputs.size()) {
      throw new IllegalArgumentException("node '" + name + "' has inputs that nothing reads");
    }
    if (epilogue != null && outputs.size() > 1) {
      throw new IllegalArgumentException("node '" + name + "' has an epilogue of several outputs");
    }
  }

  public Node(
      String name,
      String onnxOp,
      Op op,
      @Nullable Expr epilogue,
      int operands,
      List<Value> inputs,
      Value output) {
    this(name, onnxOp, op, epilogue, operands, inputs, List.of(output));
  }

  /// The only output.
  ///
  /// @throws IllegalStateException if there are several
  public Value output() {
    if (outputs.size() != 1) {
      throw new IllegalStateException(
          "node '" + name + "' (" + onnxOp + ") has " + outputs.size() + " outputs");
    }
    return outputs.getFirst();
  }

  /// Whether an output is one of some values.
  public boolean givesAnyOf(Set<Value> values) {
    for (Value output : outputs) {
      if (values.contains(output)) {
        return true;
      }
    }
    return false;
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
