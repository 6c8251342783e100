package io.miniinference.bench.models;

import com.google.protobuf.ByteString;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Writes models of an [Activation], over 64 channels of 28 × 28: after each of two convolutions of
/// 3 × 3, and twice by itself.
final class ActivationModel {
  private static final int CHANNELS = 64;
  private static final int SIDE = 28;
  private static final int OPSET = 20;
  private static final double WEIGHTS = 0.007;
  private static final long SEED = 12;

  private final Activation activation;
  private final Random random = new Random(SEED);
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("g");

  private ActivationModel(Activation activation) {
    this.activation = activation;
    graph.addInput(image("x", true)).addOutput(image("y", false));
    if (activation.second().equals(Activation.SLOPES)) {
      constant("second", 0.3, CHANNELS, 1, 1);
    } else if (!activation.second().isEmpty()) {
      initializer("second").addFloatData(Float.parseFloat(activation.second()));
    }
  }

  static Path convolved(Activation activation, Path folder) {
    ActivationModel model = new ActivationModel(activation);
    model.convolution("x", "a").apply("a", "b").convolution("b", "c").apply("c", "y");
    return model.write(folder.resolve(activation.title() + ".onnx"));
  }

  static Path alone(Activation activation, Path folder) {
    ActivationModel model = new ActivationModel(activation);
    model.apply("x", "a").apply("a", "y");
    return model.write(folder.resolve(activation.title() + " by itself.onnx"));
  }

  private static ValueInfoProto image(String name, boolean shaped) {
    ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(name);
    if (shaped) {
      var tensor = value.getTypeBuilder().getTensorTypeBuilder();
      tensor
          .setElemType(DataType.FLOAT.getNumber())
          .getShapeBuilder()
          .addDimBuilder()
          .setDimParam("N");
      for (int size : new int[] {CHANNELS, SIDE, SIDE}) {
        tensor.getShapeBuilder().addDimBuilder().setDimValue(size);
      }
    }
    return value.build();
  }

  private ActivationModel convolution(String from, String to) {
    constant(to + "_w", WEIGHTS, CHANNELS, CHANNELS, 3, 3);
    float centre = (float) activation.centre();
    initializer(to + "_b", CHANNELS).addAllFloatData(Collections.nCopies(CHANNELS, centre));
    NodeProto.Builder node = node("Conv", to, from, to + "_w", to + "_b");
    attribute(node, "pads").setType(AttributeType.INTS).addAllInts(List.of(1L, 1L, 1L, 1L));
    return this;
  }

  private ActivationModel apply(String from, String to) {
    NodeProto.Builder node = node(activation.operator(), to, from);
    if (!activation.second().isEmpty()) {
      node.addInput("second");
    }
    if (!activation.variant().isEmpty()) {
      attribute(node, "approximate")
          .setType(AttributeType.STRING)
          .setS(ByteString.copyFromUtf8(activation.variant()));
    }
    if (activation.operator().equals("Mod")) {
      attribute(node, "fmod").setType(AttributeType.INT).setI(1);
    }
    return this;
  }

  private NodeProto.Builder node(String operator, String to, String... from) {
    NodeProto.Builder node = graph.addNodeBuilder().setName(to).setOpType(operator).addOutput(to);
    return node.addAllInput(List.of(from));
  }

  private static AttributeProto.Builder attribute(NodeProto.Builder node, String name) {
    return node.addAttributeBuilder().setName(name);
  }

  private TensorProto.Builder initializer(String name, long... shape) {
    TensorProto.Builder tensor = graph.addInitializerBuilder().setName(name);
    for (long size : shape) {
      tensor.addDims(size);
    }
    return tensor.setDataType(DataType.FLOAT.getNumber());
  }

  private void constant(String name, double deviation, long... shape) {
    TensorProto.Builder tensor = initializer(name, shape);
    for (long i = 0; i < Tensor.elements(shape); i++) {
      tensor.addFloatData((float) random.nextGaussian(0, deviation));
    }
  }

  private Path write(Path file) {
    ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(9).setGraph(graph);
    model.addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET));
    try {
      return Files.write(file, model.build().toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
