package io.miniinference.testing;

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
import io.miniinference.repository.ModelFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// A model, written line by line.
public final class TestModel {
  private static final long IR_VERSION = 10;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("test");
  private final long opset;

  private TestModel(long opset) {
    this.opset = opset;
  }

  public static TestModel opset(long version) {
    return new TestModel(version);
  }

  /// @param dims numbers and symbols, parted by commas
  public TestModel input(String name, DataType type, String dims) {
    graph.addInput(info(name, type, dims));
    return this;
  }

  private static ValueInfoProto info(String name, DataType type, String dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims.split(",")) {
      if (Character.isDigit(dim.charAt(0))) {
        shape.addDimBuilder().setDimValue(Long.parseLong(dim));
      } else {
        shape.addDimBuilder().setDimParam(dim);
      }
    }
    TypeProto.Tensor.Builder tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  public TestModel floats(String name, String dims) {
    return input(name, DataType.FLOAT, dims);
  }

  public TestModel longs(String name, String dims) {
    return input(name, DataType.INT64, dims);
  }

  /// A constant `[values.length]`.
  public TestModel constant(String name, long... values) {
    return constant(name, List.of((long) values.length), values);
  }

  public TestModel constant(String name, List<Long> dims, long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DataType.INT64.getNumber())
            .addAllDims(dims)
            .setRawData(ByteString.copyFrom(bytes)));
    return this;
  }

  /// A constant of strings `[values.length]`.
  public TestModel words(String name, String... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DataType.STRING.getNumber())
            .addDims(values.length);
    Stream.of(values).map(ByteString::copyFromUtf8).forEach(tensor::addStringData);
    graph.addInitializer(tensor);
    return this;
  }

  /// A constant of small floats that repeat after a while.
  public TestModel reals(String name, long... dims) {
    return reals(name, i -> (i * 37 % 101 - 50) / 64f, dims);
  }

  /// A constant of floats.
  ///
  /// @param value of the element with an index, in their order; no dimension for a scalar
  public TestModel reals(String name, IntToDoubleFunction value, long... dims) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(DataType.FLOAT.getNumber());
    long elements = 1;
    for (long dim : dims) {
      tensor.addDims(dim);
      elements *= dim;
    }
    for (int i = 0; i < elements; i++) {
      tensor.addFloatData((float) value.applyAsDouble(i));
    }
    graph.addInitializer(tensor);
    return this;
  }

  /// A node named after its first output.
  ///
  /// @param inputs names, parted by blanks
  /// @param attributes `name=value`: an integer, integers parted by commas (one alone has a comma
  ///   behind it), or else a string
  public TestModel node(String op, String inputs, String outputs, String... attributes) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName("make " + outputs.split(" ")[0])
            .setOpType(op)
            .addAllInput(List.of(inputs.split(" ")))
            .addAllOutput(List.of(outputs.split(" ")));
    for (String attribute : attributes) {
      String[] parts = attribute.split("=");
      node.addAttribute(attribute(parts[0], parts[1]));
    }
    graph.addNode(node);
    return this;
  }

  /// The domain of the last node.
  public TestModel domain(String name) {
    graph.getNodeBuilder(graph.getNodeCount() - 1).setDomain(name);
    return this;
  }

  /// A list of strings as a further attribute of the last node, if there are any.
  public TestModel strings(String attribute, String... values) {
    if (values.length > 0) {
      AttributeProto.Builder list =
          AttributeProto.newBuilder().setName(attribute).setType(AttributeType.STRINGS);
      Stream.of(values).map(ByteString::copyFromUtf8).forEach(list::addStrings);
      graph.getNodeBuilder(graph.getNodeCount() - 1).addAttribute(list);
    }
    return this;
  }

  private static AttributeProto attribute(String name, String value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (value.matches("-?\\d+,(-?\\d+(,-?\\d+)*)?")) {
      Stream.of(value.split(",")).map(Long::valueOf).forEach(attribute::addInts);
      return attribute.setType(AttributeType.INTS).build();
    }
    return value.matches("-?\\d+")
        ? attribute.setType(AttributeType.INT).setI(Long.parseLong(value)).build()
        : attribute.setType(AttributeType.STRING).setS(ByteString.copyFromUtf8(value)).build();
  }

  public TestModel output(String name) {
    graph.addOutput(ValueInfoProto.newBuilder().setName(name));
    return this;
  }

  /// An output of floats whose shape the file declares.
  public TestModel output(String name, String dims) {
    graph.addOutput(info(name, DataType.FLOAT, dims));
    return this;
  }

  /// An output whose type and shape the file declares.
  public TestModel output(String name, DataType type, String dims) {
    graph.addOutput(info(name, type, dims));
    return this;
  }

  public OnnxModel read() {
    return read("test");
  }

  public OnnxModel read(String name) {
    return OnnxReader.read(name, ByteBuffer.wrap(bytes()), null, ReadLimits.defaults());
  }

  /// Writes it into a folder.
  public ModelFile write(Path folder, String name) {
    try {
      return new ModelFile(name, "1", Files.write(folder.resolve(name + ".onnx"), bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a file of it holds.
  public byte[] bytes() {
    return ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
        .setGraph(graph)
        .build()
        .toByteArray();
  }
}
