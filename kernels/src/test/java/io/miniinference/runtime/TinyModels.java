package io.miniinference.runtime;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Models of a node or two, and requests to them.
final class TinyModels {
  /// Inputs and outputs of [#doubling] per row.
  static final int WIDTH = 16;

  private TinyModels() {}

  /// `y = max(x·2I, 0)` over rows of [#WIDTH] floats.
  static OnnxModel doubling() {
    return scaling("doubling", 2);
  }

  /// `y = max(x·factor·I, 0)` over rows of [#WIDTH] floats.
  static OnnxModel scaling(String name, float factor) {
    float[] weights = new float[WIDTH * WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      weights[i * WIDTH + i] = factor;
    }
    GraphProto.Builder graph = GraphProto.newBuilder().setName(name);
    graph.addInput(value("x", DataType.FLOAT, "N", "16"));
    graph.addInitializer(floats("w", weights, WIDTH, WIDTH));
    graph.addNode(node("product", "MatMul", "x", "w", "p"));
    graph.addNode(node("relu", "Relu", "p", "y"));
    graph.addOutput(ValueInfoProto.newBuilder().setName("y"));
    return read(name, graph);
  }

  /// `y = table[i]`, a row of `columns` indices each, over a table of five rows of two floats.
  static OnnxModel picking(String... dims) {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("picking");
    graph.addInput(value("i", DataType.INT64, dims));
    graph.addInitializer(floats("table", new float[] {0, 1, 10, 11, 20, 21, 30, 31, 40, 41}, 5, 2));
    graph.addNode(node("pick", "Gather", "table", "i", "y"));
    graph.addOutput(ValueInfoProto.newBuilder().setName("y"));
    return read("picking", graph);
  }

  /// A model with an operator that nobody has.
  static OnnxModel unknown() {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("unknown");
    graph.addInput(value("x", DataType.FLOAT, "N", "16"));
    graph.addNode(node("odd", "Frobnicate", "x", "y"));
    graph.addOutput(ValueInfoProto.newBuilder().setName("y"));
    return read("unknown", graph);
  }

  private static OnnxModel read(String name, GraphProto.Builder graph) {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(17))
            .setGraph(graph)
            .build();
    ByteBuffer bytes = ByteBuffer.wrap(model.toByteArray());
    return OnnxReader.read(name, bytes, null, ReadLimits.defaults());
  }

  /* The last of the names is the output. */
  private static NodeProto node(String name, String op, String... values) {
    List<String> all = Arrays.asList(values);
    return NodeProto.newBuilder()
        .setName(name)
        .setOpType(op)
        .addAllInput(all.subList(0, all.size() - 1))
        .addOutput(all.getLast())
        .build();
  }

  private static ValueInfoProto value(String name, DataType type, String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
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

  private static TensorProto floats(String name, float[] values, long... shape) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(DataType.FLOAT.getNumber())
        .addAllDims(LongStream.of(shape).boxed().toList())
        .setRawData(ByteString.copyFrom(bytes))
        .build();
  }

  /// Sends `rows` rows of which every element is `value`, and gives the whole answer.
  static float[] doubled(Model model, int rows, float value) {
    InferenceRequest request =
        new InferenceRequest(
            List.of(new long[] {rows, WIDTH}),
            (_, staging) -> {
              for (long i = 0; i < (long) rows * WIDTH; i++) {
                staging.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, value);
              }
            });
    return model.infer(request, TinyModels::floats);
  }

  /// Sends indices and gives the picked rows.
  static float[] picked(Model model, long[] shape, long... indices) {
    InferenceRequest request =
        new InferenceRequest(
            List.of(shape),
            (_, staging) ->
                MemorySegment.copy(
                    indices, 0, staging, ValueLayout.JAVA_LONG_UNALIGNED, 0, indices.length));
    return model.infer(request, TinyModels::floats);
  }

  private static float[] floats(List<ResponseReader.Output> outputs) {
    return outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }
}
