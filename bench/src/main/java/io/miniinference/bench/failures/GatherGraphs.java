package io.miniinference.bench.failures;

import io.miniinference.bench.peer.Feed;
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

/// Models of little else but data-dependent accesses, where checks cost most: each index tensor is
/// an input, and 32 and more elements lie on each axis that is indexed. A CPU goes over rows in
/// another way where some of their indices count from the end, so that some models are there twice.
final class GatherGraphs {
  private static final int OPSET = 18;

  private final String name;
  private final GraphProto.Builder graph = GraphProto.newBuilder();

  /// Where indices count from.
  private enum Ends {
    START("", "i"),
    BOTH("-both-ends", Feed.BOTH_ENDS);

    /// Ending of a model's name.
    private final String variant;

    /// Name of the input of indices.
    private final String indices;

    Ends(String variant, String indices) {
      this.variant = variant;
      this.indices = indices;
    }
  }

  private GatherGraphs(String name) {
    this.name = name;
    graph.setName(name);
  }

  static List<OnnxModel> all() {
    return List.of(
        embeddingBag(),
        embeddingBag(Ends.BOTH),
        embeddingSoftmax(),
        elements(Ends.START),
        elements(Ends.BOTH),
        tuples(Ends.START),
        tuples(Ends.BOTH),
        scatterChain(Ends.START),
        scatterChain(Ends.BOTH),
        divisions());
  }

  /// Means of 32 rows each out of a table.
  static OnnxModel embeddingBag() {
    return embeddingBag(Ends.START);
  }

  private static OnnxModel embeddingBag(Ends ends) {
    String i = ends.indices;
    return new GatherGraphs("embedding-bag" + ends.variant)
        .table(4096, 64)
        .input(i, DataType.INT64, -1, 32)
        .node("Gather", "table " + i, "rows", "axis", 0)
        .node("ReduceMean", "rows axes", "y", "keepdims", 0)
        .axes(1)
        .model("y");
  }

  private static OnnxModel embeddingSoftmax() {
    return new GatherGraphs("embedding-softmax")
        .table(1024, 64)
        .input("i", DataType.INT64, -1, 16)
        .node("Gather", "table i", "rows", "axis", 0)
        .node("Softmax", "rows", "y", "axis", 2)
        .model("y");
  }

  private static OnnxModel elements(Ends ends) {
    String i = ends.indices;
    return new GatherGraphs("gather-elements" + ends.variant)
        .input("x", DataType.FLOAT, -1, 1024)
        .input(i, DataType.INT64, -1, 1024)
        .node("GatherElements", "x " + i, "y", "axis", 1)
        .model("y");
  }

  private static OnnxModel tuples(Ends ends) {
    String i = ends.indices;
    return new GatherGraphs("gather-nd" + ends.variant)
        .input("x", DataType.FLOAT, -1, 32, 32, 4)
        .input(i, DataType.INT64, -1, 256, 2)
        .node("GatherND", "x " + i, "y", "batch_dims", 1)
        .model("y");
  }

  private static OnnxModel scatterChain(Ends ends) {
    String i = ends.indices;
    return new GatherGraphs("scatter-chain" + ends.variant)
        .input("x", DataType.FLOAT, -1, 256)
        .input(i, DataType.INT64, -1, 64)
        .input("u", DataType.FLOAT, -1, 64)
        .node("ScatterElements", "x " + i + " u", "a", "axis", 1)
        .node("GatherElements", "a " + i, "b", "axis", 1)
        .node("ScatterElements", "a " + i + " b", "c", "axis", 1)
        .node("GatherElements", "c " + i, "d", "axis", 1)
        .node("ScatterElements", "c " + i + " d", "y", "axis", 1)
        .model("y");
  }

  private static OnnxModel divisions() {
    return new GatherGraphs("divisions")
        .input("a", DataType.INT32, -1, 4096)
        .input("b", DataType.INT32, -1, 4096)
        .node("Div", "a b", "q", "", 0)
        .node("Mod", "a b", "r", "fmod", 0)
        .node("Add", "q r", "y", "", 0)
        .model("y");
  }

  /// @param dims with −1 for the batch
  private GatherGraphs input(String input, DataType type, long... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long dim : dims) {
      if (dim < 0) {
        shape.addDimBuilder().setDimParam("N");
      } else {
        shape.addDimBuilder().setDimValue(dim);
      }
    }
    TypeProto.Tensor tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape).build();
    graph.addInput(
        ValueInfoProto.newBuilder()
            .setName(input)
            .setType(TypeProto.newBuilder().setTensorType(tensor)));
    return this;
  }

  /// A constant `table`.
  private GatherGraphs table(int rows, int columns) {
    TensorProto.Builder table =
        graph
            .addInitializerBuilder()
            .setName("table")
            .setDataType(DataType.FLOAT.getNumber())
            .addDims(rows)
            .addDims(columns);
    for (int i = 0; i < rows * columns; i++) {
      table.addFloatData((i * 31 % 97) / 97f);
    }
    return this;
  }

  /// A constant `axes` of one number.
  private GatherGraphs axes(long axis) {
    graph
        .addInitializerBuilder()
        .setName("axes")
        .setDataType(DataType.INT64.getNumber())
        .addDims(1)
        .addInt64Data(axis);
    return this;
  }

  /// @param attribute its one attribute, "" for none
  private GatherGraphs node(String op, String inputs, String output, String attribute, long value) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName(output)
            .setOpType(op)
            .addAllInput(List.of(inputs.split(" ")))
            .addOutput(output);
    if (!attribute.isEmpty()) {
      node.addAttribute(
          AttributeProto.newBuilder().setName(attribute).setType(AttributeType.INT).setI(value));
    }
    graph.addNode(node);
    return this;
  }

  private OnnxModel model(String output) {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(9)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
            .setGraph(graph.addOutput(ValueInfoProto.newBuilder().setName(output)))
            .build();
    return OnnxReader.read(name, ByteBuffer.wrap(model.toByteArray()), null, ReadLimits.defaults());
  }
}
