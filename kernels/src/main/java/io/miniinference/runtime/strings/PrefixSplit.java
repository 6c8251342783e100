package io.miniinference.runtime.strings;

import com.google.protobuf.ByteString;
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
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
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

/// Takes the nodes of a [StringPrefix] out of a model, node by node.
final class PrefixSplit {
  /// Most elements of a shape, of axes or of columns.
  private static final int MOST_INTEGERS = 1 << 16;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final OnnxModel model;
  private final CountedTokens counted;
  private final Set<String> names = new HashSet<>();

  /// What is known on the host: inputs, constants and what nodes made.
  private final Map<String, Declared> known = new HashMap<>();

  private final Map<String, Tensor> constants = new HashMap<>();

  /// Constants that may be shapes, axes or columns.
  private final Map<String, List<Long>> integers = new HashMap<>();

  /// Nodes that move strings ahead of those that look into them, by what they make.
  private final Map<String, HostMove> moves = new HashMap<>();

  private final Set<String> inputs = new HashSet<>();
  private final List<StringStep> steps = new ArrayList<>();
  private final List<NodeProto> others = new ArrayList<>();

  /// What nodes made, in their order.
  private final Map<String, Made> made = new LinkedHashMap<>();

  /// A value that a node makes.
  private record Made(String node, TypeProto type) {}

  private PrefixSplit(OnnxModel model) {
    this.model = model;
    counted = new CountedTokens(model.graph());
  }

  static StringPrefix of(OnnxModel model) {
    PrefixSplit split = new PrefixSplit(model);
    split.declare();
    split.findMoves();
    model.graph().getNodeList().forEach(split::node);
    return split.result();
  }

  private void declare() {
    GraphProto graph = model.graph();
    graph.getInitializerList().forEach(tensor -> constant(tensor.getName(), tensor));
    Set<String> initialized = model.initialized();
    names.addAll(initialized);
    for (ValueInfoProto input : graph.getInputList()) {
      names.add(input.getName());
      TypeProto.Tensor type = input.getType().getTensorType();
      if (type.getElemType() == DataType.STRING.getNumber()
          && !initialized.contains(input.getName())) {
        known.put(input.getName(), Declared.of(input.getName(), type));
        inputs.add(input.getName());
      }
    }
    for (NodeProto node : graph.getNodeList()) {
      names.addAll(node.getOutputList());
      if (node.getOpType().equals("Constant") && node.getOutputCount() == 1) {
        node.getAttributeList().forEach(it -> constant(node.getOutput(0), it));
      }
    }
  }

  private void constant(String name, TensorProto proto) {
    names.add(name);
    boolean isString = proto.getDataType() == DataType.STRING.getNumber();
    if (!isString && !isSmallInteger(proto)) {
      return;
    }
    try {
      OnnxTensor tensor = TensorReader.of(model, ReadLimits.defaults()).read(proto);
      if (isString) {
        constants.put(name, Tensor.of(tensor.strings().toArray(String[]::new), tensor.dims()));
        known.put(name, Declared.of(Arrays.stream(tensor.dims()).boxed().toList()));
      } else {
        integers.put(name, Arrays.stream(tensor.data().toArray(LONG)).boxed().toList());
      }
    } catch (ModelException e) {
      return; // the import says what is wrong
    }
  }

  private static boolean isSmallInteger(TensorProto proto) {
    return proto.getDataType() == DataType.INT64.getNumber()
        && proto.getDimsList().stream().reduce(1L, StringTensors::times) <= MOST_INTEGERS;
  }

  /* Nodes that only move strings are computed on the host if nodes that look into them follow. */
  private void findMoves() {
    Set<String> wanted = new HashSet<>();
    for (NodeProto node : model.graph().getNodeList().reversed()) {
      if (HostNode.of(model.name(), node).isPresent()) {
        wanted.addAll(node.getInputList());
      } else if (node.getOutputList().stream().anyMatch(wanted::contains)) {
        HostMove.of(node, this::integers)
            .ifPresent(move -> {
              moves.put(move.result(), move);
              wanted.add(move.operand());
            });
      }
    }
  }

  private Optional<List<Long>> integers(String name) {
    return Optional.ofNullable(integers.get(name));
  }

  private void node(NodeProto node) {
    HostMove move = node.getOutputCount() == 1 ? moves.get(node.getOutput(0)) : null;
    if (move != null && known.containsKey(move.operand())) {
      steps.add(new StringStep(List.of(move.operand()), List.of(move.result()), move.work()));
      Declared shape = move.shape(declared(move.operand()));
      known.put(move.result(), shape);
      made.put(move.result(), new Made(node.getName(), shape.type(DataType.STRING)));
      return;
    }
    Optional<HostNode> own = HostNode.of(model.name(), node);
    if (own.isEmpty() || !known.keySet().containsAll(node.getInputList())) {
      others.add(node);
      return;
    }
    steps.add(
        new StringStep(
            node.getInputList(), node.getOutputList(), own.get().work(isCounted(own.get()))));
    for (int i = 0; i < node.getOutputCount(); i++) {
      if (!node.getOutput(i).isEmpty()) {
        made(own.get(), i);
      }
    }
  }

  /* Where a row has several texts, pads of one lie ahead of the next. */
  private boolean isCounted(HostNode node) {
    if (!node.operator().equals("Tokenizer")) {
      return false;
    }
    List<Dimension> dims = declared(node.node().getInput(0)).dims().orElse(List.of());
    boolean isText =
        dims.size() == 1
            || (dims.size() == 2 && dims.get(1).hasDimValue() && dims.get(1).getDimValue() == 1);
    return isText && counted.has(node.node().getOutput(0), node.pad());
  }

  /* The value of a Constant. */
  private void constant(String name, AttributeProto value) {
    switch (value.getName()) {
      case "value" -> constant(name, value.getT());
      case "value_string" -> constant(name, strings(List.of(value.getS())).build());
      case "value_strings" ->
          constant(name, strings(value.getStringsList()).addDims(value.getStringsCount()).build());
      default -> names.add(name);
    }
  }

  private static TensorProto.Builder strings(List<ByteString> values) {
    return TensorProto.newBuilder()
        .setDataType(DataType.STRING.getNumber())
        .addAllStringData(values);
  }

  private void made(HostNode node, int place) {
    String name = node.node().getOutput(place);
    Declared shape = shape(node, name, place);
    DataType type = type(node.operator(), place);
    if (type == DataType.STRING) {
      known.put(name, shape);
    }
    made.put(name, new Made(node.node().getName(), shape.type(type)));
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
      case "Tokenizer" -> operands.getFirst().withParts(result);
      case "StringNormalizer" ->
          node.leavesStringsOut()
              ? operands.getFirst().withOpenEnd(result) // one string of none
              : operands.getFirst();
      default -> operands.getFirst();
    };
  }

  private Declared declared(String name) {
    return Objects.requireNonNull(known.get(name), name);
  }

  private StringPrefix result() {
    GraphProto.Builder rest = model.graph().toBuilder().clearNode();
    Set<String> read = readByOthers();
    Map<String, String> further = new LinkedHashMap<>();
    made.forEach((value, it) -> {
      if (read.contains(value)) {
        String input = newName(value);
        further.put(input, value);
        rest.addInput(ValueInfoProto.newBuilder().setName(input).setType(it.type));
        rest.addNode(identity(it.node, input, value));
      }
    });
    rest.addAllNode(others);
    return new StringPrefix(model(rest.build()), new HostSteps(constants, inputs, steps, further));
  }

  /* What bodies read counts, too: each value that follows is an input, and a size to specialise. */
  private Set<String> readByOthers() {
    Set<String> read = Bodies.read(others);
    model.graph().getOutputList().forEach(output -> read.add(output.getName()));
    others.forEach(node -> read.addAll(node.getInputList()));
    return read;
  }

  /* A further input has a name of its own, since what it is may be an output, too. */
  private String newName(String value) {
    String input = value + "/host";
    while (!names.add(input)) {
      input += "'";
    }
    return input;
  }

  private static NodeProto identity(String node, String input, String value) {
    return NodeProto.newBuilder()
        .setName(node)
        .setOpType("Identity")
        .addInput(input)
        .addOutput(value)
        .build();
  }

  private OnnxModel model(GraphProto rest) {
    return new OnnxModel(
        model.name(),
        model.folder(),
        model.irVersion(),
        model.opsets(),
        model.producer(),
        rest,
        model.functions(),
        model.metadata(),
        model.warnings());
  }
}
