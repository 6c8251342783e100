package io.miniinference.onnx;

import io.miniinference.onnx.wire.AttributeProto;
import java.util.List;
import java.util.Map;

/// One application of an operator, at a known version of its operator set.
///
/// @param name the node's name, or "" (names need not be unique)
/// @param domain the operator's domain, the default one as ""
/// @param opset version of that domain that this node is written against: in an expanded function
///   the function's version, which may differ from the model's
/// @param inputs value names; "" is an omitted input
/// @param outputs value names; "" is an output that nobody uses
/// @param attributes all attributes but graphs, in file order, each with its type set
/// @param bodies the attributes that are graphs
public record OnnxNode(
    String name,
    String domain,
    String opType,
    long opset,
    List<String> inputs,
    List<String> outputs,
    Map<String, AttributeProto> attributes,
    Map<String, OnnxGraph> bodies) {

  public OnnxNode {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    attributes = Ordered.copy(attributes);
    bodies = Ordered.copy(bodies);
  }

  /// The node as messages name it: `node 'nms_out' (NonMaxSuppression)`.
  ///
  /// A node without a name goes by its first output.
  public String where() {
    return where(name, outputs, domain, opType);
  }

  public static String where(String name, List<String> outputs, String domain, String opType) {
    String shown = name;
    if (name.isEmpty()) {
      shown = outputs.stream().filter(output -> !output.isEmpty()).findFirst().orElse("");
    }
    String operator = domain.isEmpty() ? opType : domain + "." + opType;
    String quoted = Quote.of(operator);
    return "node %s (%s)".formatted(Quote.of(shown), quoted.substring(1, quoted.length() - 1));
  }
}
