package io.miniinference.testing;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.FunctionProto;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Valid models of one shape in any size, for measuring how the cost of a load grows: long chains,
/// wide nodes, many outputs, deep nests.
public enum LargeModel {
  RELUS(n -> chain(n, i -> node("Relu", at(i), at(i + 1)))),
  SOFTMAXES(n -> chain(n, i -> node("Softmax", at(i), at(i + 1)))),
  TRANSPOSES(n -> chain(n, i -> node("Transpose", at(i), at(i + 1)))),
  SOFTMAXES_AND_TRANSPOSES(
      n -> chain(n, i -> node(i % 2 == 0 ? "Softmax" : "Transpose", at(i), at(i + 1)))),
  /// Each adds the two before it, so that written out as one expression it doubles.
  RESIDUALS(n -> chain(n, i -> node("Add", at(i) + " " + at(Math.max(0, i - 1)), at(i + 1)))),
  SUM_OF_ONE(n -> wide(n, "Sum")),
  MAX_OF_ONE(n -> wide(n, "Max")),
  CONCAT_OF_ONE(n -> wide(n, "Concat", integer("axis", 0))),
  SUM_OF_MANY(n -> many(n, "Sum")),
  CONCAT_OF_MANY(n -> many(n, "Concat", integer("axis", 0))),
  SPLIT(LargeModel::split),
  OUTPUTS(LargeModel::outputs),
  INPUTS(LargeModel::inputs),
  CONSTANTS(LargeModel::constants),
  /// Products of large constants, which nothing but folding computes.
  FOLDED_PRODUCTS(LargeModel::products),
  FUNCTIONS(LargeModel::functions),
  IFS(n -> nest(n, LargeModel::branch)),
  LOOPS(n -> nest(n, LargeModel::loop)),
  SCANS(LargeModel::scans);

  private static final long OPSET = 18;
  private final IntFunction<ModelProto.Builder> make;

  LargeModel(IntFunction<ModelProto.Builder> make) {
    this.make = make;
  }

  /// The model, as a file's message.
  public ModelProto proto(int size) {
    return make.apply(size).build();
  }

  /// The model as it is read.
  public OnnxModel read(int size) {
    return OnnxReader.read(
        name() + size, ByteBuffer.wrap(proto(size).toByteArray()), null, ReadLimits.defaults());
  }

  private static ModelProto.Builder model(GraphProto.Builder graph) {
    return ModelProto.newBuilder()
        .setIrVersion(10)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
        .setGraph(graph.setName("g"));
  }

  private static String at(int i) {
    return i == 0 ? "x" : "v" + i;
  }

  private static NodeProto.Builder node(String op, String inputs, String outputs) {
    return NodeProto.newBuilder()
        .setOpType(op)
        .addAllInput(List.of(inputs.split(" ")))
        .addAllOutput(List.of(outputs.split(" ")));
  }

  private static ValueInfoProto value(String name, DataType type, long... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long dim : dims) {
      shape.addDimBuilder().setDimValue(dim);
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape)))
        .build();
  }

  private static ValueInfoProto floats(String name, long... dims) {
    return value(name, DataType.FLOAT, dims);
  }

  private static ValueInfoProto untyped(String name) {
    return ValueInfoProto.newBuilder().setName(name).build();
  }

  private static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  private static AttributeProto body(String name, GraphProto.Builder graph) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.GRAPH)
        .setG(graph.setName(name))
        .build();
  }

  private static ModelProto.Builder chain(int n, IntFunction<NodeProto.Builder> link) {
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4, 4));
    IntStream.range(0, n).forEach(i -> graph.addNode(link.apply(i)));
    return model(graph.addOutput(untyped(at(n))));
  }

  private static ModelProto.Builder wide(int n, String op, AttributeProto... attributes) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setOpType(op)
            .addAllInput(Collections.nCopies(n, "x"))
            .addOutput("y")
            .addAllAttribute(List.of(attributes));
    return model(
        GraphProto.newBuilder().addInput(floats("x", 4)).addNode(node).addOutput(untyped("y")));
  }

  private static ModelProto.Builder many(int n, String op, AttributeProto... attributes) {
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4, 4));
    NodeProto.Builder joined =
        NodeProto.newBuilder().setOpType(op).addOutput("y").addAllAttribute(List.of(attributes));
    for (int i = 1; i <= n; i++) {
      graph.addNode(node("Softmax", "x", at(i)).addAttribute(integer("axis", i % 2)));
      joined.addInput(at(i));
    }
    return model(graph.addNode(joined).addOutput(untyped("y")));
  }

  private static ModelProto.Builder split(int n) {
    NodeProto.Builder split =
        NodeProto.newBuilder()
            .setOpType("Split")
            .addInput("x")
            .addAttribute(integer("num_outputs", n));
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4L * n));
    for (int i = 1; i <= n; i++) {
      split.addOutput(at(i));
      graph.addOutput(untyped(at(i)));
    }
    return model(graph.addNode(split));
  }

  private static ModelProto.Builder outputs(int n) {
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4));
    for (int i = 0; i < n; i++) {
      graph.addNode(node("Relu", at(i), at(i + 1))).addOutput(untyped(at(i + 1)));
    }
    return model(graph);
  }

  private static ModelProto.Builder inputs(int n) {
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4));
    for (int i = 0; i < n; i++) {
      graph.addInput(floats("i" + i, 4));
      graph.addNode(node("Add", at(i) + " i" + i, at(i + 1)));
    }
    return model(graph.addOutput(untyped(at(n))));
  }

  private static ModelProto.Builder constants(int n) {
    GraphProto.Builder graph = GraphProto.newBuilder().addInput(floats("x", 4));
    for (int i = 0; i < n; i++) {
      graph.addInitializer(
          TensorProto.newBuilder()
              .setName("c" + i)
              .setDataType(DataType.FLOAT.getNumber())
              .addDims(1)
              .addFloatData(i));
      graph.addNode(node("Add", at(i) + " c" + i, at(i + 1)));
    }
    return model(graph.addOutput(untyped(at(n))));
  }

  private static ModelProto.Builder products(int n) {
    TensorProto shape =
        TensorProto.newBuilder()
            .setName("shape")
            .setDataType(DataType.INT64.getNumber())
            .addDims(2)
            .addInt64Data(4096)
            .addInt64Data(4096)
            .build();
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .addInput(floats("x", 1))
            .addInitializer(shape)
            .addNode(node("ConstantOfShape", "shape", "p0"));
    for (int i = 0; i < n; i++) {
      graph.addNode(node("MatMul", "p" + i + " p0", "p" + (i + 1)));
    }
    return model(graph.addNode(node("Add", "x p" + n, "y")).addOutput(untyped("y")));
  }

  /// Functions that each call the next.
  private static ModelProto.Builder functions(int n) {
    ModelProto.Builder model =
        model(
                GraphProto.newBuilder()
                    .addInput(floats("x", 4))
                    .addNode(node("f0", "x", "y").setDomain("own"))
                    .addOutput(untyped("y")))
            .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1));
    for (int i = 0; i < n; i++) {
      NodeProto.Builder inner =
          i == n - 1 ? node("Relu", "a", "b") : node("f" + (i + 1), "a", "b").setDomain("own");
      model.addFunctions(
          FunctionProto.newBuilder()
              .setName("f" + i)
              .setDomain("own")
              .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
              .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1))
              .addInput("a")
              .addOutput("b")
              .addNode(inner));
    }
    return model;
  }

  /// Makes a node with bodies around one node of a depth.
  private interface Around {
    NodeProto.Builder node(int depth, String output);
  }

  private static ModelProto.Builder nest(int depth, Around around) {
    return model(
        GraphProto.newBuilder()
            .addInput(floats("x", 4))
            .addInput(value("c", DataType.BOOL))
            .addInput(value("n", DataType.INT64))
            .addNode(around.node(depth, "y"))
            .addOutput(untyped("y")));
  }

  /// An If with an If in each of its branches: 2^depth bodies.
  private static NodeProto.Builder branch(int depth, String output) {
    return depth == 0
        ? node("Relu", "x", output)
        : node("If", "c", output)
            .addAttribute(body("then_branch", only(depth - 1, output + "t")))
            .addAttribute(body("else_branch", only(depth - 1, output + "e")));
  }

  private static GraphProto.Builder only(int depth, String output) {
    return GraphProto.newBuilder().addNode(branch(depth, output)).addOutput(untyped(output));
  }

  /// A Loop in a Loop.
  private static NodeProto.Builder loop(int depth, String output) {
    if (depth == 0) {
      return node("Relu", "x", output);
    }
    GraphProto.Builder inner =
        GraphProto.newBuilder()
            .addInput(value(output + "i", DataType.INT64))
            .addInput(value(output + "c", DataType.BOOL))
            .addInput(floats(output + "s", 4))
            .addNode(loop(depth - 1, output + "l"))
            .addNode(node("Add", output + "s " + output + "l", output + "o"))
            .addNode(node("Identity", output + "c", output + "d"))
            .addOutput(untyped(output + "d"))
            .addOutput(untyped(output + "o"));
    return node("Loop", "n c x", output).addAttribute(body("body", inner));
  }

  private static ModelProto.Builder scans(int depth) {
    long[] dims = new long[depth + 1];
    Arrays.fill(dims, 2);
    return model(
        GraphProto.newBuilder()
            .addInput(floats("x", dims))
            .addNode(scan(depth, "x", "y"))
            .addOutput(untyped("y")));
  }

  private static NodeProto.Builder scan(int depth, String input, String output) {
    if (depth == 0) {
      return node("Relu", input, output);
    }
    GraphProto.Builder inner =
        GraphProto.newBuilder()
            .addInput(untyped(output + "i"))
            .addNode(scan(depth - 1, output + "i", output + "o"))
            .addOutput(untyped(output + "o"));
    return node("Scan", input, output)
        .addAttribute(body("body", inner))
        .addAttribute(integer("num_scan_inputs", 1));
  }
}
