package io.miniinference.onnx;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A graph as text, one node a line, in the order of the file:
///
/// ```
/// graph g(x: FLOAT[N,3]) -> (y: FLOAT[N,2])
///   w: FLOAT[3,2]
///   y = Gemm@13(x, w) transB=1
/// ```
public final class OnnxText {
  private static final int SHOWN = 8;

  private final StringBuilder out = new StringBuilder();

  private OnnxText() {}

  /// The graph with the bodies in it. Constants are shown by type and shape only.
  public static String of(OnnxGraph graph) {
    var text = new OnnxText();
    text.graph(graph, "");
    return text.out.toString();
  }

  private void graph(OnnxGraph graph, String indent) {
    out.append("graph ").append(graph.name()).append('(').append(values(graph.inputs()));
    out.append(") -> (").append(values(graph.outputs())).append(")\n");
    String inner = indent + "  ";
    for (TensorProto constant : graph.initializers()) {
      out.append(inner).append(constant.getName()).append(": ").append(type(constant)).append('\n');
    }
    graph.nodes().forEach(node -> node(node, inner));
  }

  private void node(OnnxNode node, String indent) {
    String domain = node.domain().isEmpty() ? "" : node.domain() + ".";
    out.append(indent).append(names(node.outputs())).append(" = ");
    out.append(domain).append(node.opType()).append('@').append(node.opset());
    out.append('(').append(names(node.inputs())).append(')');
    node.attributes().forEach((name, value) -> attribute(name, value));
    out.append('\n');
    node.bodies().forEach((name, body) -> body(name, body, indent + "  "));
  }

  private void body(String name, OnnxGraph body, String indent) {
    out.append(indent).append(name).append(" = ");
    graph(body, indent);
  }

  private void attribute(String name, AttributeProto attribute) {
    out.append(' ').append(name).append('=').append(value(attribute));
  }

  private static String names(List<String> names) {
    return names.stream().map(n -> n.isEmpty() ? "-" : n).collect(Collectors.joining(", "));
  }

  private static String values(List<ValueInfoProto> values) {
    return values.stream()
        .map(value -> value.getName() + (value.hasType() ? ": " + type(value.getType()) : ""))
        .collect(Collectors.joining(", "));
  }

  private static String value(AttributeProto attribute) {
    return switch (attribute.getType()) {
      case FLOAT -> Float.toString(attribute.getF());
      case INT -> Long.toString(attribute.getI());
      case STRING -> Quote.of(attribute.getS().toStringUtf8());
      case TENSOR -> type(attribute.getT());
      case FLOATS -> list(attribute.getFloatsList());
      case INTS -> list(attribute.getIntsList());
      case STRINGS ->
          list(attribute.getStringsList().stream().map(s -> Quote.of(s.toStringUtf8())).toList());
      case TYPE_PROTO -> type(attribute.getTp());
      case UNDEFINED, GRAPH, TENSORS, GRAPHS, SPARSE_TENSOR, SPARSE_TENSORS, TYPE_PROTOS ->
          attribute.getType().name().toLowerCase(Locale.ROOT);
    };
  }

  private static String list(List<?> values) {
    String shown =
        values.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(","));
    return "[" + shown + (values.size() > SHOWN ? ",… " + values.size() : "") + "]";
  }

  private static String type(TensorProto tensor) {
    return element(tensor.getDataType()) + list(tensor.getDimsList());
  }

  private static String type(TypeProto type) {
    return switch (type.getValueCase()) {
      case TENSOR_TYPE -> {
        TypeProto.Tensor tensor = type.getTensorType();
        yield element(tensor.getElemType()) + (tensor.hasShape() ? shape(tensor) : "[*]");
      }
      case SEQUENCE_TYPE -> "seq(" + type(type.getSequenceType().getElemType()) + ")";
      case OPTIONAL_TYPE -> "optional(" + type(type.getOptionalType().getElemType()) + ")";
      case MAP_TYPE -> "map";
      case OPAQUE_TYPE -> "opaque";
      case SPARSE_TENSOR_TYPE -> "sparse";
      case VALUE_NOT_SET -> "?";
    };
  }

  private static String shape(TypeProto.Tensor tensor) {
    return list(tensor.getShape().getDimList().stream().map(OnnxText::dimension).toList());
  }

  private static String dimension(Dimension dimension) {
    return switch (dimension.getValueCase()) {
      case DIM_VALUE -> Long.toString(dimension.getDimValue());
      case DIM_PARAM -> dimension.getDimParam();
      case VALUE_NOT_SET -> "?";
    };
  }

  private static String element(int number) {
    return OnnxType.of(number).map(OnnxType::name).orElse("type" + number);
  }
}
