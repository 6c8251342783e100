package io.miniinference.ops;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.nio.ByteBuffer;
import java.util.List;

/// A small model, written in a test line by line.
final class TestModel {
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("g");
  private final long opset;
  private long mlOpset = 4;

  private TestModel(long opset) {
    this.opset = opset;
  }

  static TestModel opset(long version) {
    return new TestModel(version);
  }

  /// The version of `ai.onnx.ml`.
  TestModel ml(long version) {
    mlOpset = version;
    return this;
  }

  /// The body of a node: inputs have no type where theirs is `UNDEFINED`.
  static TestModel body() {
    return new TestModel(0);
  }

  /// An input; dimensions are numbers, symbols, or `?` for one without a name.
  TestModel input(String name, TensorProto.DataType type, String... dims) {
    if (type == TensorProto.DataType.UNDEFINED) {
      graph.addInput(ValueInfoProto.newBuilder().setName(name));
      return this;
    }
    var shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
      var entry = shape.addDimBuilder();
      if (dim.matches("-?\\d+")) {
        entry.setDimValue(Long.parseLong(dim));
      } else if (!dim.equals("?")) {
        entry.setDimParam(dim);
      }
    }
    var tensor = TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
    graph.addInput(
        ValueInfoProto.newBuilder()
            .setName(name)
            .setType(TypeProto.newBuilder().setTensorType(tensor)));
    return this;
  }

  /// An input of strings.
  TestModel strings(String name, String... dims) {
    return input(name, TensorProto.DataType.STRING, dims);
  }

  /// A constant of strings along one axis.
  TestModel texts(String name, String... values) {
    return texts(name, new long[] {values.length}, values);
  }

  /// A constant of strings.
  TestModel texts(String name, long[] dims, String... values) {
    var tensor =
        TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.STRING.getNumber());
    for (long dim : dims) {
      tensor.addDims(dim);
    }
    for (String value : values) {
      tensor.addStringData(ByteString.copyFromUtf8(value));
    }
    graph.addInitializer(tensor);
    return this;
  }

  TestModel floats(String name, String... dims) {
    return input(name, TensorProto.DataType.FLOAT, dims);
  }

  /// An input that is a sequence of tensors.
  TestModel sequence(String name) {
    var type = TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.newBuilder());
    graph.addInput(ValueInfoProto.newBuilder().setName(name).setType(type));
    return this;
  }

  /// An input that is declared by its name alone.
  TestModel untyped(String name) {
    graph.addInput(ValueInfoProto.newBuilder().setName(name));
    return this;
  }

  /// An output that is declared a list of maps from strings to numbers.
  TestModel maps(String name) {
    var number = TypeProto.Tensor.newBuilder().setElemType(TensorProto.DataType.FLOAT.getNumber());
    var map =
        TypeProto.Map.newBuilder()
            .setKeyType(TensorProto.DataType.STRING.getNumber())
            .setValueType(TypeProto.newBuilder().setTensorType(number));
    var list = TypeProto.Sequence.newBuilder().setElemType(TypeProto.newBuilder().setMapType(map));
    graph.addOutput(
        ValueInfoProto.newBuilder()
            .setName(name)
            .setType(TypeProto.newBuilder().setSequenceType(list)));
    return this;
  }

  TestModel output(String name) {
    graph.addOutput(ValueInfoProto.newBuilder().setName(name));
    return this;
  }

  TestModel constant(String name, long... values) {
    var tensor =
        TensorProto.newBuilder()
            .setName(name)
            .addDims(values.length)
            .setDataType(TensorProto.DataType.INT64.getNumber());
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A sparse constant: what is between its values is zero.
  TestModel sparse(SparseTensorProto tensor) {
    graph.addSparseInitializer(tensor);
    return this;
  }

  /// A sparse constant; `indices` are of shape `[values]`, or `[values, rank]` where there are as
  /// many.
  static SparseTensorProto sparse(
      String name, List<Long> dims, List<Float> values, long... indices) {
    var at = TensorProto.newBuilder().setDataType(TensorProto.DataType.INT64.getNumber());
    at.addDims(values.size());
    if (indices.length != values.size()) {
      at.addDims(dims.size());
    }
    for (long index : indices) {
      at.addInt64Data(index);
    }
    var numbers =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(TensorProto.DataType.FLOAT.getNumber())
            .addDims(values.size())
            .addAllFloatData(values);
    return SparseTensorProto.newBuilder()
        .setValues(numbers)
        .setIndices(at)
        .addAllDims(dims)
        .build();
  }

  /// A constant of floats, all of them 0.5.
  TestModel halves(String name, long... dims) {
    var tensor =
        TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.FLOAT.getNumber());
    long elements = 1;
    for (long dim : dims) {
      tensor.addDims(dim);
      elements *= dim;
    }
    for (long i = 0; i < elements; i++) {
      tensor.addFloatData(0.5f);
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A node; names of inputs and outputs are parted by blanks, `-` is an omitted one.
  ///
  /// @param op with its domain in front, if that is not the default one
  TestModel node(String op, String inputs, String outputs, AttributeProto... attributes) {
    int dot = op.lastIndexOf('.');
    graph.addNode(
        NodeProto.newBuilder()
            .setDomain(op.substring(0, Math.max(0, dot)))
            .setOpType(op.substring(dot + 1))
            .addAllInput(names(inputs))
            .addAllOutput(names(outputs))
            .addAllAttribute(List.of(attributes)));
    return this;
  }

  private static List<String> names(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(text.split(" ", -1)).stream().map(n -> n.equals("-") ? "" : n).toList();
  }

  static AttributeProto attribute(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  static AttributeProto attribute(String name, String value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.STRING)
        .setS(ByteString.copyFromUtf8(value))
        .build();
  }

  static AttributeProto integers(String name, long... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeType.INTS);
    for (long value : values) {
      attribute.addInts(value);
    }
    return attribute.build();
  }

  static AttributeProto strings(String name, List<String> values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeType.STRINGS);
    values.forEach(value -> attribute.addStrings(ByteString.copyFromUtf8(value)));
    return attribute.build();
  }

  static AttributeProto reals(String name, List<Float> values) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.FLOATS)
        .addAllFloats(values)
        .build();
  }

  static AttributeProto tensor(String name, TensorProto value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.TENSOR)
        .setT(value)
        .build();
  }

  static AttributeProto real(String name, float value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.FLOAT)
        .setF(value)
        .build();
  }

  static AttributeProto attribute(String name, TestModel body) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.GRAPH)
        .setG(body.graph)
        .build();
  }

  OnnxModel read() {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(10)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(mlOpset))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("ai.onnx.preview").setVersion(1))
            .setGraph(graph)
            .build();
    return OnnxReader.read("m", ByteBuffer.wrap(model.toByteArray()), null, ReadLimits.defaults());
  }
}
