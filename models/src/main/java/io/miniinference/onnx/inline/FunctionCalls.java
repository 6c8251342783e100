package io.miniinference.onnx.inline;

import io.miniinference.onnx.Domains;
import io.miniinference.onnx.OnnxFunction;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Which function calls which: ONNX allows no recursion, so this must be a graph without cycles.
final class FunctionCalls {
  /// Functions that call functions; exporters make a handful of levels.
  static final int MAX_DEPTH = 100;

  private final Map<OnnxFunction.Key, Set<OnnxFunction.Key>> calls = new LinkedHashMap<>();
  private final Set<OnnxFunction.Key> done = new HashSet<>();
  private final Set<OnnxFunction.Key> path = new LinkedHashSet<>();
  private final Problems problems;

  private FunctionCalls(Problems problems) {
    this.problems = problems;
  }

  /// Throws all that was found so far if a function calls itself, directly or not.
  static void check(List<OnnxFunction> functions, Problems problems) {
    var check = new FunctionCalls(problems);
    functions.forEach(check::collect);
    if (check.anyCycle()) {
      throw problems.exception();
    }
  }

  static OnnxFunction.Key callee(NodeProto node) {
    return new OnnxFunction.Key(
        Domains.canonical(node.getDomain()), node.getOpType(), node.getOverload());
  }

  private void collect(OnnxFunction function) {
    Set<OnnxFunction.Key> callees = new LinkedHashSet<>();
    collect(function.nodes(), callees);
    collectAttributes(function.defaults().values(), callees);
    calls.put(function.key(), callees);
  }

  private static void collect(List<NodeProto> nodes, Set<OnnxFunction.Key> callees) {
    for (NodeProto node : nodes) {
      callees.add(callee(node));
      collectAttributes(node.getAttributeList(), callees);
    }
  }

  private static void collectAttributes(
      Collection<AttributeProto> attributes, Set<OnnxFunction.Key> callees) {
    for (AttributeProto attribute : attributes) {
      if (attribute.hasG()) {
        collect(attribute.getG().getNodeList(), callees);
      }
      for (GraphProto graph : attribute.getGraphsList()) {
        collect(graph.getNodeList(), callees);
      }
    }
  }

  private boolean anyCycle() {
    boolean cycle = false;
    for (OnnxFunction.Key key : calls.keySet()) {
      cycle |= cycleFrom(key);
    }
    return cycle;
  }

  private boolean cycleFrom(OnnxFunction.Key key) {
    Set<OnnxFunction.Key> callees = calls.get(key);
    if (callees == null || done.contains(key)) {
      return false;
    }
    if (path.size() >= MAX_DEPTH || !path.add(key)) {
      problems.add("function " + key, complaint(key));
      return true;
    }
    boolean cycle = false;
    for (OnnxFunction.Key callee : callees) {
      cycle |= cycleFrom(callee);
    }
    path.remove(key);
    done.add(key);
    return cycle;
  }

  private String complaint(OnnxFunction.Key key) {
    if (!path.contains(key)) {
      return "is called through more than %d functions".formatted(MAX_DEPTH);
    }
    List<String> cycle = new ArrayList<>();
    path.stream().dropWhile(k -> !k.equals(key)).forEach(k -> cycle.add(k.toString()));
    cycle.add(key.toString());
    return "calls itself: "
        + cycle.stream().limit(10).collect(Collectors.joining(" -> "))
        + (cycle.size() > 10 ? " -> …" : "");
  }

  /// The functions by what calls them.
  static Map<OnnxFunction.Key, OnnxFunction> byKey(List<OnnxFunction> functions) {
    Map<OnnxFunction.Key, OnnxFunction> map = new HashMap<>();
    functions.forEach(function -> map.put(function.key(), function));
    return map;
  }
}
