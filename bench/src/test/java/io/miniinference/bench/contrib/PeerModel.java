package io.miniinference.bench.contrib;

import com.google.protobuf.ByteString;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A model of few nodes with the values of a request, drawn from a seed.
final class PeerModel {
  private static final long IR_VERSION = 10;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("peer");
  private final Map<String, Tensor> inputs = new LinkedHashMap<>();
  private final Random random = new Random(11);
  private final long opset;
  private long classic = 3;

  private PeerModel(long opset) {
    this.opset = opset;
  }

  static PeerModel opset(long version) {
    return new PeerModel(version);
  }

  /// The version of the domain `ai.onnx.ml`, 3 unless it is said.
  PeerModel classic(long version) {
    classic = version;
    return this;
  }

  /// An input of numbers from −2 to 2, or of all whole numbers that the type has.
  PeerModel input(String name, ElementType type, long... shape) {
    return input(name, values(type, shape));
  }

  PeerModel input(String name, Tensor value) {
    inputs.put(name, value);
    graph.addInput(declared(name, value));
    return this;
  }

  /// An input of strings, whose values are no part of the request.
  PeerModel texts(String name, String... dims) {
    graph.addInput(declared(name, DataType.STRING, dims));
    return this;
  }

  /// An input of sizes of which some are names, whose values are no part of the request.
  PeerModel open(String name, ElementType type, String... dims) {
    graph.addInput(declared(name, DataType.forNumber(type.onnx()), dims));
    return this;
  }

  /// An output of a type and of sizes, of which some are names.
  PeerModel output(String name, DataType type, String... dims) {
    graph.addOutput(declared(name, type, dims));
    return this;
  }

  private static ValueInfoProto declared(String name, DataType type, String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
      Dimension.Builder size = shape.addDimBuilder();
      var _ = dim.matches("\\d+") ? size.setDimValue(Long.parseLong(dim)) : size.setDimParam(dim);
    }
    TypeProto.Tensor.Builder tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  /// A constant of numbers from −2 to 2, or of all whole numbers that the type has.
  PeerModel constant(String name, ElementType type, long... shape) {
    return constant(name, values(type, shape));
  }

  PeerModel constant(String name, Tensor value) {
    graph.addInitializer(proto(value).setName(name));
    return this;
  }

  private static TensorProto.Builder proto(Tensor value) {
    TensorProto.Builder proto = TensorProto.newBuilder().setDataType(value.element().onnx());
    for (long dim : value.shape()) {
      proto.addDims(dim);
    }
    byte[] bytes = value.data().toArray(ValueLayout.JAVA_BYTE);
    return proto.setRawData(ByteString.copyFrom(bytes));
  }

  /// A constant of one float.
  PeerModel scale(String name, double value) {
    return constant(name, Tensor.of(new float[] {(float) value}));
  }

  /// A constant of one whole number.
  PeerModel zeroPoint(String name, ElementType type, int value) {
    return constant(name, whole(type, new long[0], value));
  }

  /// Whole numbers of a type.
  static Tensor whole(ElementType type, long[] shape, long... values) {
    Tensor tensor = allocated(type, shape);
    TensorView view = TensorView.of(tensor);
    for (int i = 0; i < values.length; i++) {
      view.wholeAt(i, values[i]);
    }
    return tensor;
  }

  private static Tensor allocated(ElementType type, long... shape) {
    long bytes = Tensor.elements(shape) * type.bytes();
    return new Tensor(type, shape, MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
  }

  private Tensor values(ElementType type, long... shape) {
    Tensor tensor = allocated(type, shape);
    TensorView view = TensorView.of(tensor);
    for (long i = 0; i < tensor.elements(); i++) {
      if (type.isFloat()) {
        view.realAt(i, random.nextDouble(-2, 2));
      } else {
        view.wholeAt(i, type == ElementType.BOOL ? random.nextInt(2) : random.nextInt());
      }
    }
    return tensor;
  }

  /// A node of the domain `com.microsoft`.
  ///
  /// @param inputs names parted by blanks, `-` for an omitted one
  /// @param attributes names, each followed by its value
  PeerModel node(String op, String inputs, String outputs, Object... attributes) {
    return node("com.microsoft", op, inputs, outputs, attributes);
  }

  /// A node of the default domain.
  PeerModel standard(String op, String inputs, String outputs, Object... attributes) {
    return node("", op, inputs, outputs, attributes);
  }

  /// A node of the domain `ai.onnx.ml`.
  PeerModel ml(String op, String inputs, String outputs, Object... attributes) {
    return node("ai.onnx.ml", op, inputs, outputs, attributes);
  }

  private PeerModel node(
      String domain, String op, String inputs, String outputs, Object... attributes) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName("n" + graph.getNodeCount())
            .setDomain(domain)
            .setOpType(op)
            .addAllInput(names(inputs))
            .addAllOutput(names(outputs));
    for (int i = 0; i < attributes.length; i += 2) {
      node.addAttribute(attribute((String) attributes[i], attributes[i + 1]));
    }
    graph.addNode(node);
    return this;
  }

  private static List<String> names(String text) {
    return List.of(text.split(" ", -1)).stream().map(n -> n.equals("-") ? "" : n).toList();
  }

  private static AttributeProto attribute(String name, Object value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    return switch (value) {
      case Integer i -> attribute.setType(AttributeType.INT).setI(i).build();
      case Float f -> attribute.setType(AttributeType.FLOAT).setF(f).build();
      case String s ->
          attribute.setType(AttributeType.STRING).setS(ByteString.copyFromUtf8(s)).build();
      case long[] list -> {
        for (long element : list) {
          attribute.addInts(element);
        }
        yield attribute.setType(AttributeType.INTS).build();
      }
      case float[] list -> {
        for (float element : list) {
          attribute.addFloats(element);
        }
        yield attribute.setType(AttributeType.FLOATS).build();
      }
      case String[] list -> {
        for (String element : list) {
          attribute.addStrings(ByteString.copyFromUtf8(element));
        }
        yield attribute.setType(AttributeType.STRINGS).build();
      }
      case Tensor tensor -> attribute.setType(AttributeType.TENSOR).setT(proto(tensor)).build();
      default -> throw new IllegalArgumentException("no attribute: " + value);
    };
  }

  /// Outputs of a type that a runtime finds for itself.
  PeerModel outputs(String names) {
    names(names).forEach(n -> graph.addOutput(ValueInfoProto.newBuilder().setName(n)));
    return this;
  }

  private static ValueInfoProto declared(String name, Tensor value) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long dim : value.shape()) {
      shape.addDimBuilder().setDimValue(dim);
    }
    TypeProto.Tensor.Builder type =
        TypeProto.Tensor.newBuilder().setElemType(value.element().onnx()).setShape(shape);
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(type))
        .build();
  }

  Map<String, Tensor> request() {
    return inputs;
  }

  List<Tensor> values() {
    return new ArrayList<>(inputs.values());
  }

  byte[] bytes() {
    return ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(classic))
        .setGraph(graph)
        .build()
        .toByteArray();
  }
}
