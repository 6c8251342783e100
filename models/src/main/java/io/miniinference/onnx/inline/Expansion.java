package io.miniinference.onnx.inline;

import io.miniinference.onnx.Domains;
import io.miniinference.onnx.OnnxFunction;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One run of the [FunctionInliner] over one model.
final class Expansion {
  /// Calls and bodies in each other; bounds the recursion of this class and of all that follows.
  private static final int MAX_DEPTH = 200;

  /// A node counts once more for each so many names it has.
  private static final int NAMES_PER_NODE = 16;

  private final OnnxModel model;
  private final Map<OnnxFunction.Key, OnnxFunction> functions;
  private final FreshNames names = new FreshNames();
  private final Problems problems;
  private final int maxNodes;
  private long nodes;

  Expansion(OnnxModel model, int maxNodes, Problems problems) {
    this.model = model;
    this.functions = FunctionCalls.byKey(model.functions());
    this.maxNodes = maxNodes;
    this.problems = problems;
  }

  OnnxGraph run() {
    if (!functions.isEmpty()) {
      names.reserve(model.graph());
    }
    var scope = new Frame.Scope(null, Map.of());
    return graph(model.graph(), new Frame("", scope, null, Map.of(), model.opsets(), 0));
  }

  private OnnxGraph graph(GraphProto graph, Frame outer) {
    count(
        (graph.getInitializerCount() + graph.getInputCount() + graph.getValueInfoCount())
            / NAMES_PER_NODE);
    Frame frame = outer.body(outer.renames() ? definitions(graph, outer.prefix()) : Map.of());
    if (frame.depth() > MAX_DEPTH) {
      problems.add("", "nests calls and bodies more than %d deep".formatted(MAX_DEPTH));
      throw problems.exception();
    }
    return new OnnxGraph(
        graph.getName(),
        renamed(graph.getInputList(), frame),
        renamed(graph.getOutputList(), frame),
        constants(graph.getInitializerList(), frame),
        sparseConstants(graph.getSparseInitializerList(), frame),
        renamed(graph.getValueInfoList(), frame),
        nodes(graph.getNodeList(), frame));
  }

  /// New names for all that a body in a function defines.
  private Map<String, String> definitions(GraphProto graph, String prefix) {
    Map<String, String> defined = new HashMap<>();
    graph.getInputList().forEach(input -> define(input.getName(), prefix, defined));
    graph.getInitializerList().forEach(tensor -> define(tensor.getName(), prefix, defined));
    graph
        .getSparseInitializerList()
        .forEach(tensor -> define(tensor.getValues().getName(), prefix, defined));
    defineOutputs(graph.getNodeList(), prefix, defined);
    return defined;
  }

  private void defineOutputs(List<NodeProto> nodes, String prefix, Map<String, String> defined) {
    for (NodeProto node : nodes) {
      node.getOutputList().forEach(output -> define(output, prefix, defined));
    }
  }

  private void define(String name, String prefix, Map<String, String> defined) {
    if (!name.isEmpty() && !defined.containsKey(name)) {
      defined.put(name, names.fresh(prefix, name));
    }
  }

  private List<OnnxNode> nodes(List<NodeProto> protos, Frame frame) {
    List<OnnxNode> out = new ArrayList<>();
    protos.forEach(node -> expand(node, frame, out));
    return out;
  }

  private void expand(NodeProto node, Frame frame, List<OnnxNode> out) {
    OnnxFunction function = functions.get(FunctionCalls.callee(node));
    if (function != null) {
      call(node, function, frame, out);
    } else {
      count(1 + (node.getInputCount() + node.getOutputCount()) / NAMES_PER_NODE);
      out.add(operator(node, frame));
    }
  }

  private OnnxNode operator(NodeProto node, Frame frame) {
    String domain = Domains.canonical(node.getDomain());
    Optional<Long> opset =
        Optional.ofNullable(frame.opsets().get(domain)).or(() -> Domains.implied(domain));
    if (opset.isEmpty() || !node.getOverload().isEmpty()) {
      problems.add(where(node, frame), unknown(node, domain));
    }
    Map<String, AttributeProto> attributes = new LinkedHashMap<>();
    Map<String, OnnxGraph> bodies = new LinkedHashMap<>();
    arguments(node, frame)
        .forEach((name, argument) -> place(name, argument, frame, attributes, bodies));
    return new OnnxNode(
        nodeName(node, frame),
        domain,
        node.getOpType(),
        opset.orElse(0L),
        resolved(node.getInputList(), node, frame),
        resolved(node.getOutputList(), node, frame),
        attributes,
        bodies);
  }

  private static String unknown(NodeProto node, String domain) {
    return node.getOverload().isEmpty()
        ? "is of domain %s, which opset_import does not have".formatted(Domains.shown(domain))
        : "calls overload %s of a function that the model does not define"
            .formatted(Quote.of(node.getOverload()));
  }

  private void place(
      String name,
      Frame.Argument argument,
      Frame frame,
      Map<String, AttributeProto> attributes,
      Map<String, OnnxGraph> bodies) {
    AttributeProto attribute = argument.attribute();
    if (attribute.getType() == AttributeType.GRAPH) {
      bodies.put(name, graph(attribute.getG(), argument.frame().at(frame)));
    } else {
      attributes.put(name, attribute);
    }
  }

  /// The node's attributes, references to the function's own replaced.
  private Map<String, Frame.Argument> arguments(NodeProto node, Frame frame) {
    Map<String, Frame.Argument> arguments = new LinkedHashMap<>();
    for (AttributeProto attribute : node.getAttributeList()) {
      Frame.Argument value = Attributes.resolve(attribute, frame);
      if (value == null) {
        continue;
      }
      String fault = Attributes.fault(attribute, value.attribute(), frame);
      if (!fault.isEmpty()) {
        problems.add(where(node, frame), fault);
      } else if (arguments.put(attribute.getName(), value) != null) {
        problems.add(
            where(node, frame), "has attribute %s twice".formatted(Quote.of(attribute.getName())));
      }
    }
    return arguments;
  }

  private void call(NodeProto node, OnnxFunction function, Frame frame, List<OnnxNode> out) {
    count(1 + (function.inputs().size() + function.outputs().size()) / NAMES_PER_NODE);
    checkCall(node, function, frame);
    String prefix = FreshNames.shortened(frame.prefix() + label(node) + "/");
    Map<String, String> values = new HashMap<>();
    List<String> inputs = resolved(node.getInputList(), node, frame);
    bind(function.inputs(), inputs, values);
    List<String> outputs = resolved(node.getOutputList(), node, frame);
    List<Integer> passed = bindOutputs(function, outputs, prefix, values);
    defineOutputs(function.nodes(), prefix, values);
    var scope = new Frame.Scope(null, values);
    var arguments = arguments(node, frame);
    int depth = frame.depth() + 1;
    var inner = new Frame(prefix, scope, function, arguments, function.opsets(), depth);
    function.nodes().forEach(body -> expand(body, inner, out));
    for (int i : passed) {
      String source = values.getOrDefault(function.outputs().get(i), "");
      out.add(identity(source, outputs.get(i), inner));
    }
  }

  private void checkCall(NodeProto node, OnnxFunction function, Frame frame) {
    checkCount("inputs", node.getInputCount(), function.inputs().size(), node, frame);
    checkCount("outputs", node.getOutputCount(), function.outputs().size(), node, frame);
    for (AttributeProto attribute : node.getAttributeList()) {
      String name = attribute.getName();
      if (!function.attributes().contains(name) && !function.defaults().containsKey(name)) {
        problems.add(
            where(node, frame),
            "gives attribute %s, which function %s does not have"
                .formatted(Quote.of(name), function.key()));
      }
    }
  }

  private void checkCount(String what, int given, int declared, NodeProto node, Frame frame) {
    if (given > declared) {
      problems.add(
          where(node, frame), "has %d %s, its function %d".formatted(given, what, declared));
    }
  }

  private static void bind(List<String> formals, List<String> actuals, Map<String, String> values) {
    for (int i = 0; i < formals.size(); i++) {
      values.put(formals.get(i), i < actuals.size() ? actuals.get(i) : "");
    }
  }

  /// Gives the function's outputs the call's names; returns the positions of those that are inputs
  /// as well, which need a node of their own.
  private List<Integer> bindOutputs(
      OnnxFunction function, List<String> actuals, String prefix, Map<String, String> values) {
    List<Integer> passed = new ArrayList<>();
    for (int i = 0; i < function.outputs().size(); i++) {
      String formal = function.outputs().get(i);
      String actual = i < actuals.size() ? actuals.get(i) : "";
      if (!values.containsKey(formal)) {
        values.put(formal, actual.isEmpty() ? names.fresh(prefix, formal) : actual);
      } else if (!actual.isEmpty()) {
        passed.add(i);
      }
    }
    return passed;
  }

  private static OnnxNode identity(String source, String target, Frame inner) {
    return new OnnxNode(
        inner.prefix() + "Identity",
        "",
        "Identity",
        inner.opsets().getOrDefault("", 1L),
        List.of(source),
        List.of(target),
        Map.of(),
        Map.of());
  }

  private List<String> resolved(List<String> values, NodeProto node, Frame frame) {
    List<String> out = new ArrayList<>(values.size());
    for (String name : values) {
      out.add(resolve(name, frame, node));
    }
    return out;
  }

  private String resolve(String name, Frame frame, NodeProto node) {
    String found = name.isEmpty() ? "" : frame.scope().find(name);
    if (found == null && frame.function() != null) {
      problems.add(
          where(node, frame),
          "uses %s, which the function does not define".formatted(Quote.of(name)));
    }
    return found == null ? name : found;
  }

  private static List<ValueInfoProto> renamed(List<ValueInfoProto> values, Frame frame) {
    return frame.renames()
        ? values.stream()
            .map(value -> value.toBuilder().setName(found(value.getName(), frame)).build())
            .toList()
        : values;
  }

  private static List<TensorProto> constants(List<TensorProto> tensors, Frame frame) {
    return frame.renames()
        ? tensors.stream().map(tensor -> constant(tensor, frame)).toList()
        : tensors;
  }

  private static TensorProto constant(TensorProto tensor, Frame frame) {
    return tensor.toBuilder().setName(found(tensor.getName(), frame)).build();
  }

  private static List<SparseTensorProto> sparseConstants(
      List<SparseTensorProto> tensors, Frame frame) {
    return frame.renames()
        ? tensors.stream()
            .map(
                tensor -> tensor.toBuilder().setValues(constant(tensor.getValues(), frame)).build())
            .toList()
        : tensors;
  }

  private static String found(String name, Frame frame) {
    String found = frame.scope().find(name);
    return found == null ? name : found;
  }

  private static String nodeName(NodeProto node, Frame frame) {
    return !frame.renames() || node.getName().isEmpty()
        ? node.getName()
        : FreshNames.shortened(frame.prefix() + node.getName());
  }

  private static String label(NodeProto node) {
    if (!node.getName().isEmpty()) {
      return node.getName();
    }
    return node.getOutputList().stream()
        .filter(output -> !output.isEmpty())
        .findFirst()
        .orElse(node.getOpType());
  }

  private static String where(NodeProto node, Frame frame) {
    String domain = Domains.canonical(node.getDomain());
    return frame.where(
        OnnxNode.where(node.getName(), node.getOutputList(), domain, node.getOpType()));
  }

  private void count(long more) {
    nodes += more;
    if (nodes > maxNodes) {
      problems.add(
          "", "has more than %d nodes after its functions are expanded".formatted(maxNodes));
      throw problems.exception();
    }
  }
}
