package io.miniinference.runtime.strings;

import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which tokens a graph reads for nothing but to count n-grams. How many pads follow a text is of
/// no account there, if no n-gram has one: so they may be made up to few lengths, and a text of one
/// more word is of a shape that is planned already.
final class CountedTokens {
  /// What each value is read by, outside of bodies.
  private final Map<String, List<NodeProto>> readers = new HashMap<>();

  /// Values that bodies read, or that are outputs.
  private final Set<String> others = new HashSet<>();

  CountedTokens(GraphProto graph) {
    graph.getOutputList().forEach(output -> others.add(output.getName()));
    others.addAll(Bodies.read(graph.getNodeList()));
    for (NodeProto node : graph.getNodeList()) {
      node.getInputList()
          .forEach(input -> readers.computeIfAbsent(input, _ -> new ArrayList<>()).add(node));
    }
  }

  /// Whether a value is read so, with a certain pad.
  boolean has(String value, String pad) {
    List<NodeProto> own = readers.getOrDefault(value, List.of());
    return !others.contains(value)
        && !own.isEmpty()
        && own.stream().allMatch(node -> counts(node, pad));
  }

  /* A Flatten of tokens makes rows of them. */
  private boolean counts(NodeProto node, String pad) {
    return switch (node.getOpType()) {
      case "TfIdfVectorizer" -> !strings(node).contains(pad);
      case "Flatten" ->
          isOfRows(node)
              && readers.getOrDefault(node.getOutput(0), List.of()).stream()
                  .allMatch(it -> it.getOpType().equals("TfIdfVectorizer") && counts(it, pad))
              && !others.contains(node.getOutput(0));
      default -> false;
    };
  }

  private static boolean isOfRows(NodeProto node) {
    return node.getOutputCount() == 1
        && node.getAttributeList().stream()
            .allMatch(it -> it.getName().equals("axis") && it.getI() == 1);
  }

  private static Set<String> strings(NodeProto node) {
    Set<String> strings = new HashSet<>();
    node.getAttributeList()
        .forEach(it -> it.getStringsList().forEach(string -> strings.add(string.toStringUtf8())));
    return strings;
  }
}
