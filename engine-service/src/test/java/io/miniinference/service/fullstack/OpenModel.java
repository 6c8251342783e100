package io.miniinference.service.fullstack;

import com.google.protobuf.ByteString;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A model with open dimensions, written node by node into a repository.
public final class OpenModel {
  private static final int OPSET = 17;
  private static final int ESTIMATORS = 3;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("open");

  /// @param dims numbers and symbols with commas between, `?` without a name, empty for a scalar
  public OpenModel floats(String name, String dims) {
    return input(name, DataType.FLOAT, dims);
  }

  public OpenModel longs(String name, String dims) {
    return input(name, DataType.INT64, dims);
  }

  public OpenModel input(String name, DataType type, String dims) {
    graph.addInput(info(name, type, dims));
    return this;
  }

  public OpenModel output(String name, String dims) {
    graph.addOutput(info(name, DataType.FLOAT, dims));
    return this;
  }

  private static ValueInfoProto info(String name, DataType type, String dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims.isEmpty() ? new String[0] : dims.split(",")) {
      if (Character.isDigit(dim.charAt(0))) {
        shape.addDimBuilder().setDimValue(Long.parseLong(dim));
      } else {
        shape.addDimBuilder().setDimParam(dim.equals("?") ? "" : dim);
      }
    }
    TypeProto.Tensor.Builder tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  /// A constant of floats 0, 1, 2, ….
  public OpenModel counting(String name, long... dims) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(DataType.FLOAT.getNumber());
    long elements = 1;
    for (long dim : dims) {
      tensor.addDims(dim);
      elements *= dim;
    }
    for (int i = 0; i < elements; i++) {
      tensor.addFloatData(i);
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A constant list of whole numbers.
  public OpenModel list(String name, long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DataType.INT64.getNumber())
            .addDims(values.length)
            .setRawData(ByteString.copyFrom(bytes)));
    return this;
  }

  /// A node named after its output.
  ///
  /// @param op behind its domain, if that is not the standard's
  /// @param attributes `name=integer`
  public OpenModel node(String op, String inputs, String output, String... attributes) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName(output)
            .setDomain(op.substring(0, Math.max(0, op.lastIndexOf('.'))))
            .setOpType(op.substring(op.lastIndexOf('.') + 1))
            .addAllInput(List.of(inputs.split(" ")))
            .addOutput(output);
    for (String attribute : attributes) {
      String[] parts = attribute.split("=");
      node.addAttribute(
          AttributeProto.newBuilder()
              .setName(parts[0])
              .setType(AttributeType.INT)
              .setI(Long.parseLong(parts[1])));
    }
    graph.addNode(node);
    return this;
  }

  /// Writes it as version 1 of `name`.
  public void write(Path repository, String name) {
    write(repository, name, "1");
  }

  public void write(Path repository, String name, String version) {
    writeFile(repository.resolve(name).resolve(version).resolve("model.onnx"));
  }

  /// Writes it as a file of its own.
  public void writeFile(Path file) {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(ESTIMATORS))
            .setGraph(graph)
            .build();
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, model.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
