package io.miniinference.onnx;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.inline.FunctionInliner;
import io.miniinference.onnx.tensor.OnnxType;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.FunctionProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.StringStringEntryProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.nio.ByteBuffer;
import java.util.List;

/// Short ways to write models in tests.
public final class Wire {
  static final ReadLimits LIMITS = new ReadLimits(1 << 24, 1 << 20, 10_000);

  private Wire() {}

  static OnnxModel read(ModelProto model) {
    return OnnxReader.read("m.onnx", ByteBuffer.wrap(model.toByteArray()), null, LIMITS);
  }

  public static OnnxGraph inlined(ModelProto model) {
    return FunctionInliner.inline(read(model), LIMITS);
  }

  public static ModelProto.Builder model(GraphProto graph, FunctionProto... functions) {
    return ModelProto.newBuilder()
        .setIrVersion(10)
        .addOpsetImport(opset("", 17))
        .addOpsetImport(opset("my", 1))
        .setGraph(graph)
        .addAllFunctions(List.of(functions));
  }

  public static OperatorSetIdProto opset(String domain, long version) {
    return OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version).build();
  }

  public static GraphProto graph(NodeProto... nodes) {
    return GraphProto.newBuilder()
        .setName("g")
        .addInput(value("x"))
        .addOutput(value("y"))
        .addAllNode(List.of(nodes))
        .build();
  }

  public static ValueInfoProto value(String name) {
    return ValueInfoProto.newBuilder().setName(name).build();
  }

  /// A node of the default domain; names separated by blanks, `-` for an omitted value.
  public static NodeProto node(
      String op, String inputs, String outputs, AttributeProto... attributes) {
    return NodeProto.newBuilder()
        .setOpType(op)
        .addAllInput(names(inputs))
        .addAllOutput(names(outputs))
        .addAllAttribute(List.of(attributes))
        .build();
  }

  public static NodeProto call(
      String function, String in, String out, AttributeProto... attributes) {
    return node(function, in, out, attributes).toBuilder().setDomain("my").setName("call").build();
  }

  public static FunctionProto.Builder function(
      String name, String in, String out, NodeProto... nodes) {
    return FunctionProto.newBuilder()
        .setDomain("my")
        .setName(name)
        .addAllInput(names(in))
        .addAllOutput(names(out))
        .addOpsetImport(opset("", 18))
        .addAllNode(List.of(nodes));
  }

  private static List<String> names(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(text.split(" ")).stream().map(name -> name.equals("-") ? "" : name).toList();
  }

  public static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  public static AttributeProto reference(String name, String to, AttributeType type) {
    return AttributeProto.newBuilder().setName(name).setType(type).setRefAttrName(to).build();
  }

  public static AttributeProto body(String name, GraphProto graph) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.GRAPH)
        .setG(graph)
        .build();
  }

  public static TensorProto.Builder tensor(OnnxType type, long... dims) {
    var proto = TensorProto.newBuilder().setName("w").setDataType(type.number());
    for (long dim : dims) {
      proto.addDims(dim);
    }
    return proto;
  }

  public static TensorProto raw(OnnxType type, int bytes, long... dims) {
    return tensor(type, dims).setRawData(ByteString.copyFrom(new byte[bytes])).build();
  }

  public static TensorProto external(long elements, String... keysAndValues) {
    var proto = tensor(OnnxType.INT8, elements).setDataLocation(TensorProto.DataLocation.EXTERNAL);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      proto.addExternalData(
          StringStringEntryProto.newBuilder()
              .setKey(keysAndValues[i])
              .setValue(keysAndValues[i + 1]));
    }
    return proto.build();
  }
}
