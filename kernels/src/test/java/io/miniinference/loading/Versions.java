package io.miniinference.loading;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.testing.TestModel;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Versions of a model that differ in their last layer alone.
final class Versions {
  static final int WIDTH = 64;
  static final int HIDDEN = 48;

  private Versions() {}

  /// `[N, 64]` through two layers that all versions have to `[N, classes]`.
  static OnnxModel of(int classes) {
    return TestModel.opset(17)
        .floats("x", "N," + WIDTH)
        .reals("first", WIDTH, WIDTH)
        .reals("second", WIDTH, HIDDEN)
        .reals("last", HIDDEN, classes)
        .node("MatMul", "x first", "a")
        .node("Relu", "a", "b")
        .node("MatMul", "b second", "c")
        .node("Relu", "c", "d")
        .node("MatMul", "d last", "y")
        .output("y")
        .read("net");
  }

  /// As [#of], with one of those layers alone before the last: what a load takes longest for is its
  /// kernels.
  static OnnxModel ofTwoLayers(int classes) {
    return TestModel.opset(17)
        .floats("x", "N," + WIDTH)
        .reals("first", WIDTH, WIDTH)
        .reals("last", WIDTH, classes)
        .node("MatMul", "x first", "a")
        .node("Relu", "a", "b")
        .node("MatMul", "b last", "y")
        .output("y")
        .read("net");
  }

  /// What a model answers to three rows.
  static float[] ask(Model model) {
    var request =
        new InferenceRequest(
            List.of(new long[] {3, WIDTH}),
            (_, staging) -> {
              for (int i = 0; i < 3 * WIDTH; i++) {
                staging.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, i % 7 - 2);
              }
            });
    return model.infer(
        request, outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }
}
