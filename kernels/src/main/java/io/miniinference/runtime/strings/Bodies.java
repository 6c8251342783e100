package io.miniinference.runtime.strings;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What branches and loops read.
final class Bodies {
  private Bodies() {}

  /// Names of values that bodies of nodes read or give, and bodies in these.
  static Set<String> read(List<NodeProto> nodes) {
    Set<String> read = new HashSet<>();
    Deque<GraphProto> bodies = new ArrayDeque<>();
    nodes.forEach(node -> add(node, bodies));
    while (!bodies.isEmpty()) {
      GraphProto body = bodies.pop();
      body.getOutputList().forEach(output -> read.add(output.getName()));
      for (NodeProto node : body.getNodeList()) {
        read.addAll(node.getInputList());
        add(node, bodies);
      }
    }
    return read;
  }

  private static void add(NodeProto node, Deque<GraphProto> bodies) {
    for (AttributeProto attribute : node.getAttributeList()) {
      bodies.addAll(attribute.hasG() ? List.of(attribute.getG()) : attribute.getGraphsList());
    }
  }
}
