package io.miniinference.bench.models;

import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// Writes models of an [Activation], over 64 channels of 28 × 28: after each of two convolutions of
/// 3 × 3, and twice by itself.
final class ActivationModel {
  private static final int CHANNELS = 64;
  private static final int OPSET = 20;
  private static final double WEIGHTS = 0.007;
  private static final long SEED = 12;

  private final Activation activation;
  private final Random random = new Random(SEED);
  private final TestModel model = TestModel.opset(OPSET).floats("x", "N,64,28,28").output("y");

  private ActivationModel(Activation activation) {
    this.activation = activation;
    if (activation.second().equals(Activation.SLOPES)) {
      drawn("second", 0.3, CHANNELS, 1, 1);
    } else if (!activation.second().isEmpty()) {
      double second = Double.parseDouble(activation.second());
      model.reals("second", _ -> second, new long[0]);
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

  private void drawn(String name, double deviation, long... dims) {
    model.reals(name, _ -> random.nextGaussian(0, deviation), dims);
  }

  private ActivationModel convolution(String from, String to) {
    drawn(to + "_w", WEIGHTS, CHANNELS, CHANNELS, 3, 3);
    model.reals(to + "_b", _ -> activation.centre(), CHANNELS);
    model.node("Conv", from + " " + to + "_w " + to + "_b", to, "pads=1,1,1,1");
    return this;
  }

  private ActivationModel apply(String from, String to) {
    String inputs = activation.second().isEmpty() ? from : from + " second";
    model.node(activation.operator(), inputs, to, activation.attributes());
    return this;
  }

  private Path write(Path file) {
    try {
      return Files.write(file, model.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
