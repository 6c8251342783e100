package io.miniinference.ir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A model in core IR: nodes in execution order (the file's), single assignment.
///
/// @param name for messages
/// @param inputs what a request gives, in the file's order
/// @param outputs what a request gets; a value may be an input or a constant too
/// @param constants weights and folded values, in the order in which they were added
/// @param rowwise per output whether row *i* depends on rows *i* of the inputs only, which is what
///   lets requests share a batch
public record Graph(
    String name,
    List<Value> inputs,
    List<Value> outputs,
    List<Node> nodes,
    Map<Value, Tensor> constants,
    List<Boolean> rowwise) {
  public Graph {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    nodes = List.copyOf(nodes);
    constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants));
    rowwise = List.copyOf(rowwise);
  }

  /// Whether the inputs' axis 0 is the batch symbol and every output is computed row by row.
  public boolean isBatchable() {
    return hasBatch() && rowwise.stream().allMatch(r -> r);
  }

  /// Whether some input has the batch symbol.
  public boolean hasBatch() {
    return inputs.stream().anyMatch(v -> !v.type().isStatic());
  }
}
