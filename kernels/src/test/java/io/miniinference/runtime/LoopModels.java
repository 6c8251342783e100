package io.miniinference.runtime;

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
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.nio.ByteBuffer;
import java.util.List;

/// Models with branches and loops, written line by line: a node is `outputs = Op inputs`, `-` an
/// omitted input.
public final class LoopModels {
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("graph");

  public static LoopModels graph() {
    return new LoopModels();
  }

  public LoopModels input(String name, DataType type, String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
      if (Character.isDigit(dim.charAt(0))) {
        shape.addDimBuilder().setDimValue(Long.parseLong(dim));
      } else {
        shape.addDimBuilder().setDimParam(dim);
      }
    }
    var tensor = TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
    graph.addInput(
        ValueInfoProto.newBuilder()
            .setName(name)
            .setType(TypeProto.newBuilder().setTensorType(tensor)));
    return this;
  }

  /// Inputs of a body.
  LoopModels inputs(String names) {
    for (String name : names.split(" ", -1)) {
      graph.addInput(ValueInfoProto.newBuilder().setName(name));
    }
    return this;
  }

  /// A scalar constant.
  LoopModels whole(String name, long value) {
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DataType.INT64.getNumber())
            .addInt64Data(value));
    return this;
  }

  /// A vector of integers.
  public LoopModels wholes(String name, long... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DataType.INT64.getNumber())
            .addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A scalar or vector of floats.
  public LoopModels floats(String name, long[] shape, float... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(DataType.FLOAT.getNumber());
    for (long dim : shape) {
      tensor.addDims(dim);
    }
    for (float value : values) {
      tensor.addFloatData(value);
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A node called like its operator and its first output.
  public LoopModels node(String text, AttributeProto... attributes) {
    String[] sides = text.split(" = ", 2);
    List<String> right = List.of(sides[1].split(" ", -1));
    List<String> inputs =
        right.subList(1, right.size()).stream().map(n -> n.equals("-") ? "" : n).toList();
    List<String> outputs = List.of(sides[0].split(" ", -1));
    graph.addNode(
        NodeProto.newBuilder()
            .setName(outputs.getFirst() + "_" + right.getFirst())
            .setOpType(right.getFirst())
            .addAllInput(inputs)
            .addAllOutput(outputs)
            .addAllAttribute(List.of(attributes)));
    return this;
  }

  /// Calls the latest node otherwise.
  LoopModels named(String name) {
    graph.getNodeBuilder(graph.getNodeCount() - 1).setName(name);
    return this;
  }

  public LoopModels outputs(String names) {
    for (String name : names.split(" ", -1)) {
      graph.addOutput(ValueInfoProto.newBuilder().setName(name));
    }
    return this;
  }

  static AttributeProto attribute(String name, LoopModels body) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.GRAPH)
        .setG(body.graph)
        .build();
  }

  public static AttributeProto attribute(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  public static AttributeProto attribute(String name, String value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.STRING)
        .setS(ByteString.copyFromUtf8(value))
        .build();
  }

  public static AttributeProto attributes(String name, long... values) {
    AttributeProto.Builder attribute =
        AttributeProto.newBuilder().setName(name).setType(AttributeType.INTS);
    for (long value : values) {
      attribute.addInts(value);
    }
    return attribute.build();
  }

  public OnnxModel model(String name) {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .setGraph(graph)
            .build();
    ByteBuffer bytes = ByteBuffer.wrap(model.toByteArray());
    return OnnxReader.read(name, bytes, null, ReadLimits.defaults());
  }
}
