package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.strings.Dictionary;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The nodes of a model that make strings, or look into them, and follow from its inputs and
/// constants alone. The host computes them for each request; what they give are further inputs of
/// the rest, which is a model like any other: of open sizes where only the strings tell them.
public final class StringPrefix {
  private final OnnxModel model;
  private final GraphProto.Builder rest;
  private final Set<String> names = new HashSet<>();

  /// What is known on the host: inputs, constants and what nodes made.
  private final Map<String, Declared> known = new HashMap<>();

  private final Map<String, Tensor> constants = new HashMap<>();
  private final List<StringStep> steps = new ArrayList<>();

  /// The rest's inputs besides the model's, and the values that they have.
  private final Map<String, String> further = new LinkedHashMap<>();

  private StringPrefix(OnnxModel model) {
    this.model = model;
    rest = model.graph().toBuilder();
  }

  /// The nodes of a model, if there are any.
  ///
  /// @throws ModelException if an attribute of one makes no sense
  public static Optional<StringPrefix> of(OnnxModel model) {
    boolean any =
        model.graph().getNodeList().stream()
            .anyMatch(node -> HostNode.of(model.name(), node).isPresent());
    if (!any) {
      return Optional.empty();
    }
    StringPrefix prefix = new StringPrefix(model);
    prefix.split();
    return prefix.steps.isEmpty() ? Optional.empty() : Optional.of(prefix);
  }

  private void split() {
    GraphProto graph = model.graph();
    graph.getInitializerList().forEach(tensor -> constant(tensor.getName(), tensor));
    Set<String> initialized =
        graph.getInitializerList().stream().map(TensorProto::getName).collect(Collectors.toSet());
    for (ValueInfoProto input : graph.getInputList()) {
      names.add(input.getName());
      TypeProto.Tensor type = input.getType().getTensorType();
      if (type.getElemType() == DataType.STRING.getNumber()
          && !initialized.contains(input.getName())) {
        known.put(input.getName(), Declared.of(input.getName(), type));
      }
    }
    graph.getNodeList().forEach(node -> names.addAll(node.getOutputList()));
    rest.clearNode();
    graph.getNodeList().forEach(this::node);
  }

  private void constant(String name, TensorProto proto) {
    names.add(name);
    if (proto.getDataType() != DataType.STRING.getNumber()) {
      return;
    }
    try {
      OnnxTensor tensor = TensorReader.of(model, ReadLimits.defaults()).read(proto);
      constants.put(name, Tensor.of(tensor.strings().toArray(String[]::new), tensor.dims()));
      known.put(name, Declared.of(Arrays.stream(tensor.dims()).boxed().toList()));
    } catch (ModelException e) {
      return; // the import says what is wrong
    }
  }

  private void node(NodeProto node) {
    Optional<HostNode> own = HostNode.of(model.name(), node);
    if (own.isEmpty() || !known.keySet().containsAll(node.getInputList())) {
      rest.addNode(node);
      if (node.getOpType().equals("Constant") && node.getOutputCount() == 1) {
        node.getAttributeList().stream()
            .filter(AttributeProto::hasT)
            .forEach(attribute -> constant(node.getOutput(0), attribute.getT()));
      }
      return;
    }
    steps.add(new StringStep(node.getInputList(), node.getOutputList(), own.get().work()));
    for (int i = 0; i < node.getOutputCount(); i++) {
      if (!node.getOutput(i).isEmpty()) {
        result(own.get(), i);
      }
    }
  }

  /* An input of the rest, under a name of its own, since it may be an output, too. */
  private void result(HostNode node, int place) {
    String name = node.node().getOutput(place);
    Declared shape = shape(node, name, place);
    DataType type = type(node.operator(), place);
    if (type == DataType.STRING) {
      known.put(name, shape);
    }
    String input = name + "/host";
    while (!names.add(input)) {
      input += "'";
    }
    further.put(input, name);
    rest.addInput(ValueInfoProto.newBuilder().setName(input).setType(shape.type(type)));
    rest.addNode(
        NodeProto.newBuilder()
            .setName(node.node().getName())
            .setOpType("Identity")
            .addInput(input)
            .addOutput(name));
  }

  private static DataType type(String operator, int place) {
    return switch (operator) {
      case "RegexFullMatch" -> DataType.BOOL;
      case "StringSplit" -> place == 0 ? DataType.STRING : DataType.INT64;
      default -> DataType.STRING;
    };
  }

  private Declared shape(HostNode node, String result, int place) {
    List<Declared> operands = node.node().getInputList().stream().map(this::declared).toList();
    return switch (node.operator()) {
      case "StringConcat" -> operands.get(0).broadcast(operands.get(1), result);
      case "StringSplit" ->
          place == 0 ? operands.getFirst().withParts(result) : operands.getFirst();
      default -> node.leavesOut() ? operands.getFirst().withOpenEnd(result) : operands.getFirst();
    };
  }

  /// The model without these nodes, whose last inputs are what they give.
  public OnnxModel rest() {
    return new OnnxModel(
        model.name(),
        model.folder(),
        model.irVersion(),
        model.opsets(),
        model.producer(),
        rest.build(),
        model.functions(),
        model.metadata(),
        model.warnings());
  }

  /// Options of the model as those of the rest: where inputs are given, so is what follows from
  /// them.
  public LoadOptions options(LoadOptions options) {
    if (options.inputShapes().isEmpty()) {
      return options;
    }
    Map<String, Tensor> values = new HashMap<>(options.inputValues());
    Map<String, long[]> shapes = new HashMap<>(options.inputShapes());
    if (known.keySet().stream().allMatch(it -> isMade(it) || values.containsKey(it))) {
      Map<String, Tensor> made =
          computed(values, new StringTable(Dictionary.EMPTY), HostBudget.ofLoad());
      values.putAll(made);
      made.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    }
    return options.fixed(options.maxBatch(), options.dimensions(), shapes, values);
  }

  private boolean isMade(String name) {
    return constants.containsKey(name)
        || steps.stream().anyMatch(step -> step.results().contains(name));
  }

  /// A model that is prepared from the rest, as this one.
  public PreparedModel around(PreparedModel prepared) {
    return new PrefixedLoad(prepared, this);
  }

  /// The names of the model's inputs that are computed with.
  Set<String> read() {
    return known.keySet().stream().filter(it -> !isMade(it)).collect(Collectors.toSet());
  }

  /// How many inputs the rest has besides those of the model.
  int further() {
    return further.size();
  }

  /// The rest's further inputs, in their order.
  ///
  /// @param inputs of the model, those that are [#read]
  /// @param table of the request
  /// @param budget of the request
  Map<String, Tensor> computed(Map<String, Tensor> inputs, StringTable table, HostBudget budget) {
    Map<String, Tensor> values = new HashMap<>();
    constants.forEach((name, tensor) -> values.put(name, tensor.codedIn(table)));
    read().forEach(name -> values.put(name, value(name, inputs).codedIn(table)));
    for (StringStep step : steps) {
      List<Tensor> made =
          step.work()
              .of(step.operands().stream().map(it -> value(it, values)).toList(), table, budget);
      for (int i = 0; i < step.results().size(); i++) {
        values.put(step.results().get(i), made.get(i));
      }
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    further.forEach((input, value) -> given.put(input, value(value, values)));
    return given;
  }

  private static Tensor value(String name, Map<String, Tensor> values) {
    return Objects.requireNonNull(values.get(name), name);
  }

  private Declared declared(String name) {
    return Objects.requireNonNull(known.get(name), name);
  }
}
