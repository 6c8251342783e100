package io.miniinference.onnx.inline;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// New names for values, distinct from all that a model has, and of bounded length.
final class FreshNames {
  private static final int LONGEST = 200;

  private final Set<String> used = new HashSet<>();
  private final Map<String, Integer> copies = new HashMap<>();

  /// Keeps the names of a graph and of the bodies in it.
  void reserve(GraphProto graph) {
    for (ValueInfoProto input : graph.getInputList()) {
      used.add(input.getName());
    }
    for (TensorProto constant : graph.getInitializerList()) {
      used.add(constant.getName());
    }
    for (SparseTensorProto constant : graph.getSparseInitializerList()) {
      used.add(constant.getValues().getName());
    }
    for (NodeProto node : graph.getNodeList()) {
      used.addAll(node.getOutputList());
      node.getAttributeList().forEach(this::reserve);
    }
  }

  private void reserve(AttributeProto attribute) {
    if (attribute.hasG()) {
      reserve(attribute.getG());
    }
    attribute.getGraphsList().forEach(this::reserve);
  }

  /// `prefix` and `name`, with a number where that is taken.
  String fresh(String prefix, String name) {
    String base = shortened(prefix + name);
    String candidate = base;
    while (!used.add(candidate)) {
      candidate = base + "#" + copies.merge(base, 2, (count, two) -> count + 1);
    }
    return candidate;
  }

  /// The name's end if it is long: the front is shared by all values of a call.
  static String shortened(String name) {
    return name.length() <= LONGEST ? name : "…" + name.substring(name.length() - LONGEST);
  }
}
