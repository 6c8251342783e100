package io.miniinference.opensizes;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.attributes;
import static io.miniinference.runtime.LoopModels.graph;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.LoopModels;
import java.util.Arrays;
import java.util.Random;

/// Networks with open dimensions of kinds that the test data lacks: each has a few layers, of
/// weights by chance, and every operator that networks of its kind are made of.
final class MadeNetworks {
  private final LoopModels graph = graph();
  private final Random random = new Random(5);

  private MadeNetworks() {}

  /// Attention of new places over those and earlier ones, as a decoder computes it token by token:
  /// how many there were is open, and how many come.
  static OnnxModel decoder(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph
        .input("x", DataType.FLOAT, "batch", "sequence", "32")
        .input("past_key", DataType.FLOAT, "batch", "4", "past", "8")
        .input("past_value", DataType.FLOAT, "batch", "4", "past", "8")
        .wholes("heads", 0, 0, 4, 8)
        .wholes("whole", 0, 0, 32);
    made.heads("query");
    made.heads("new_key");
    made.heads("new_value");
    made.weight("back", 32, 32);
    made.graph
        .node("key = Concat past_key new_key", attribute("axis", 2))
        .node("value = Concat past_value new_value", attribute("axis", 2))
        .node("turned = Transpose key", attributes("perm", 0, 1, 3, 2))
        .node("scores = MatMul query turned")
        .node("shares = Softmax scores", attribute("axis", -1))
        .node("seen = MatMul shares value")
        .node("rows = Transpose seen", attributes("perm", 0, 2, 1, 3))
        .node("joined = Reshape rows whole")
        .node("added = MatMul joined back")
        .node("y = Add x added")
        .outputs("y key value");
    return made.graph.model(name);
  }

  private void heads(String name) {
    weight(name + "_w", 32, 32);
    graph
        .node("%1$s_flat = MatMul x %1$s_w".formatted(name))
        .node("%1$s_rows = Reshape %1$s_flat heads".formatted(name))
        .node("%1$s = Transpose %1$s_rows".formatted(name), attributes("perm", 0, 2, 1, 3));
  }

  /// A U-Net of two levels over images of open height and width.
  static OnnxModel segmenter(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph.input("x", DataType.FLOAT, "batch", "3", "height", "width");
    made.layer("a = Conv x", 16, 3, pads(1));
    made.half("b", "a");
    made.layer("c = Conv b", 16, 1, pads(1), attribute("group", 16));
    made.layer("d = Conv c", 64, 16, pads(0));
    made.half("e", "d");
    made.layer("f = Conv e", 64, 64, pads(1)); // in Winograd's form
    made.twice("g", "f", 64, 24);
    made.graph.node("h = Concat g d", attribute("axis", 1));
    made.layer("i = Conv h", 16, 88, pads(1));
    made.twice("j", "i", 16, 16);
    made.graph.node("k = Concat j a", attribute("axis", 1));
    made.layer("l = Conv k", 8, 32, pads(1));
    made.graph.node("y = Sigmoid l").outputs("y");
    return made.graph.model(name);
  }

  /// Convolutions over sound of open length, one of a long window and one dilated, and their mean
  /// over time.
  static OnnxModel sound(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph.input("x", DataType.FLOAT, "batch", "1", "time");
    made.weight("wa", 16, 1, 40);
    made.weight("wb", 24, 16, 5);
    made.graph
        .node("a = Conv x wa", attributes("strides", 4), attributes("pads", 20, 19))
        .node("b = Relu a")
        .node("c = Conv b wb", attributes("dilations", 2), attributes("pads", 4, 4))
        .node("d = Tanh c")
        .node("mean = GlobalAveragePool d")
        .outputs("d mean");
    return made.graph.model(name);
  }

  /// Sound of open length as the logarithms of its bands of frequencies, time by time: frames every
  /// 40 samples, mirrored at both ends, as most networks for speech begin.
  static OnnxModel spectrogram(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph
        .input("x", DataType.FLOAT, "batch", "time")
        .wholes("ends", 0, 32, 0, 32)
        .wholes("last", 2)
        .wholes("parts", -1)
        .wholes("step", 40)
        .floats("least", new long[] {1}, 1e-3f);
    made.weight("window", 64);
    made.weight("bands", 33, 20);
    made.graph
        .node("padded = Pad x ends", attribute("mode", "reflect"))
        .node("signal = Unsqueeze padded last")
        .node("spectrum = STFT signal step window")
        .node("squares = Mul spectrum spectrum")
        .node("power = ReduceSum squares parts", attribute("keepdims", 0))
        .node("banded = MatMul power bands")
        .node("positive = Abs banded")
        .node("bounded = Max positive least")
        .node("y = Log bounded")
        .outputs("y");
    return made.graph.model(name);
  }

  /// Recurrent layers over an open number of steps: one of more weights than a work-group of a GPU
  /// holds, and a small one behind it.
  static OnnxModel sequence(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph.input("x", DataType.FLOAT, "batch", "time", "12").wholes("direction", 1);
    made.weight("wa", 1, 4 * 208, 12);
    made.smallWeight("ra", 1, 4 * 208, 208);
    made.smallWeight("wb", 1, 3 * 8, 208);
    made.weight("rb", 1, 3 * 8, 8);
    made.graph
        .node("steps = Transpose x", attributes("perm", 1, 0, 2))
        .node("a = LSTM steps wa ra", attribute("hidden_size", 208))
        .node("states = Squeeze a direction")
        .node("b = GRU states wb rb", attribute("hidden_size", 8))
        .node("last = Squeeze b direction")
        .node("y = Transpose last", attributes("perm", 1, 0, 2))
        .outputs("y");
    return made.graph.model(name);
  }

  /// What goes over rows of open length, and over whole images of open height and width.
  static OnnxModel lines(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph
        .input("x", DataType.FLOAT, "batch", "6", "height", "width")
        .wholes("channels", 1)
        .wholes("twice", 1, 2, 1, 2)
        .floats("scale", new long[] {6}, 1, 2, 3, 4, 5, 6);
    made.graph
        .node("places = ArgMax x", attribute("axis", 3))
        .node("a = Cast places", attribute("to", DataType.FLOAT.getNumber()))
        .node("b = ReduceMin x", attributes("axes", 2, 3))
        .node("c = CumSum x channels")
        .node("d = InstanceNormalization x scale scale")
        .node("e = Tile x twice")
        .node("f = ReduceMean x", attributes("axes", 1))
        .node("leads = ArgMax x", attribute("axis", 1))
        .node("g = Cast leads", attribute("to", DataType.FLOAT.getNumber()))
        .outputs("a b c d e f g");
    return made.graph.model(name);
  }

  /// The first elements of rows of open length, and where they are.
  static OnnxModel leaders(String name) {
    MadeNetworks made = new MadeNetworks();
    made.graph
        .input("x", DataType.FLOAT, "batch", "width")
        .wholes("three", 3)
        .node("y g = TopK x three")
        .node("z = Cast g", attribute("to", DataType.FLOAT.getNumber()))
        .outputs("y z");
    return made.graph.model(name);
  }

  private static AttributeProto pads(int each) {
    return attributes("pads", each, each, each, each);
  }

  /* A convolution with a ReLU behind it, whose kernel is as wide as its padding wants. */
  private void layer(String text, int outputs, int inputs, AttributeProto... attributes) {
    String name = text.substring(0, 1);
    int width = attributes[0].getInts(0) == 0 ? 1 : 3;
    weight("w" + name, outputs, inputs, width, width);
    graph.node("r" + text + " w" + name, attributes).node("%1$s = Relu r%1$s".formatted(name));
  }

  private void half(String name, String of) {
    graph.node(
        name + " = MaxPool " + of, attributes("kernel_shape", 2, 2), attributes("strides", 2, 2));
  }

  private void twice(String name, String of, int inputs, int outputs) {
    weight("w" + name, inputs, outputs, 2, 2);
    graph.node(name + " = ConvTranspose " + of + " w" + name, attributes("strides", 2, 2));
  }

  private void weight(String name, long... shape) {
    weight(name, 1 / 4f, shape);
  }

  /* As small as layers of many inputs have them. */
  private void smallWeight(String name, long... shape) {
    weight(name, (float) (1 / Math.sqrt(shape[shape.length - 1])), shape);
  }

  private void weight(String name, float largest, long... shape) {
    int elements = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    float[] values = new float[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = random.nextFloat(-1, 1) * largest;
    }
    graph.floats(name, shape, values);
  }
}
