package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.real;
import static io.miniinference.ops.TestModel.reals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Operators as opsets 1 to 6 had them, beside the same ones as later opsets have them
/// ([changelog](https://onnx.ai/onnx/repo-docs/Changelog.html)).
class EarlyOpsetsTest {
  private static final AttributeProto BROADCAST = attribute("broadcast", 1);

  /// What inputs may be overwritten, which nodes had until opset 5.
  private static final AttributeProto HINT = integers("consumed_inputs", 0, 1);

  /// A model of an early opset and one of a later opset that computes the same.
  private record Pair(String name, TestModel early, TestModel later) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static TestModel opset(long version) {
    return TestModel.opset(version).floats("x", "2", "3", "4", "5").output("y");
  }

  private static Stream<Pair> pairs() {
    return Stream.of(
        new Pair(
            "Tile",
            opset(5).constant("t", 3).constant("a", 2).node("Tile", "x t a", "y"),
            opset(7).constant("r", 1, 1, 3, 1).node("Tile", "x r", "y")),
        new Pair(
            "Upsample",
            opset(6).node("Upsample", "x", "y", real("height_scale", 2), real("width_scale", 3)),
            opset(7).node("Upsample", "x", "y", reals("scales", List.of(1f, 1f, 2f, 3f)))),
        new Pair(
            "Pad",
            opset(1).node("Pad", "x", "y", integers("paddings", 0, 0, 1, 2, 0, 0, 3, 1)),
            opset(7).node("Pad", "x", "y", integers("pads", 0, 0, 1, 2, 0, 0, 3, 1))),
        new Pair(
            "Split by an input",
            opset(1).constant("s", 1, 2).node("Split", "x s", "- y", attribute("axis", 1)),
            opset(7).node("Split", "x", "- y", attribute("axis", 1), integers("split", 1, 2))),
        new Pair(
            "Split evenly",
            opset(1).node("Split", "x", "y -", attribute("axis", 2)),
            opset(7).node("Split", "x", "y -", attribute("axis", 2))),
        new Pair(
            "Reshape",
            opset(1).node("Reshape", "x", "y", integers("shape", 0, -1, 10), HINT),
            opset(7).constant("s", 2, 6, 10).node("Reshape", "x s", "y")),
        new Pair(
            "Concat",
            opset(3).node("Concat", "x x", "y"),
            opset(7).node("Concat", "x x", "y", attribute("axis", 1))),
        new Pair(
            "Cast",
            opset(5).node("Cast", "x", "y", attribute("to", "INT32")),
            opset(7).node("Cast", "x", "y", attribute("to", 6))),
        new Pair(
            "GlobalLpPool",
            opset(1).node("GlobalLpPool", "x", "y", real("p", 3)),
            opset(7).node("GlobalLpPool", "x", "y", attribute("p", 3))),
        new Pair(
            "LpPool",
            opset(1).node("LpPool", "x", "y", real("p", 1), integers("kernel_shape", 2, 2)),
            opset(7).node("LpPool", "x", "y", attribute("p", 1), integers("kernel_shape", 2, 2))),
        new Pair(
            "MeanVarianceNormalization",
            opset(1).node("MeanVarianceNormalization", "x", "y"),
            opset(9).node("MeanVarianceNormalization", "x", "y", integers("axes", 2, 3))),
        new Pair(
            "MeanVarianceNormalization of all channels, without variance",
            opset(1)
                .node(
                    "MeanVarianceNormalization",
                    "x",
                    "y",
                    attribute("across_channels", 1),
                    attribute("normalize_variance", 0)),
            opset(7)
                .node("ReduceMean", "x", "m", integers("axes", 1, 2, 3))
                .node("Sub", "x m", "y")),
        new Pair(
            "BatchNormalization",
            vectors(opset(6)).node("BatchNormalization", "x h h h h", "y", attribute("is_test", 1)),
            vectors(opset(7)).node("BatchNormalization", "x h h h h", "y")),
        new Pair(
            "Dropout",
            opset(6).node("Dropout", "x", "y", attribute("is_test", 1)),
            opset(7).node("Identity", "x", "y")),
        new Pair(
            "PRelu by channel",
            vectors(opset(6)).node("PRelu", "x h", "y"),
            opset(7).halves("h", 3, 1, 1).node("PRelu", "x h", "y")),
        new Pair(
            "Gemm",
            opset(6)
                .node("Flatten", "x", "f")
                .halves("w", 60, 3)
                .halves("h", 3)
                .node("Gemm", "f w h", "y", BROADCAST),
            opset(7)
                .node("Flatten", "x", "f")
                .halves("w", 60, 3)
                .halves("h", 3)
                .node("Gemm", "f w h", "y")),
        new Pair(
            "LSTM", recurrent(opset(6), attribute("output_sequence", 1)), recurrent(opset(7))));
  }

  private static TestModel vectors(TestModel model) {
    return model.halves("h", 3);
  }

  private static TestModel recurrent(TestModel model, AttributeProto... own) {
    AttributeProto[] all = Arrays.copyOf(own, own.length + 1);
    all[own.length] = attribute("hidden_size", 2);
    return model
        .constant("s", 6, 4, 5)
        .node("Reshape", "x s", "steps")
        .halves("w", 1, 8, 5)
        .halves("r", 1, 8, 2)
        .node("LSTM", "steps w r", "y", all);
  }

  private static Tensor run(TestModel model) {
    Graph graph = Importer.importModel(model.read(), ImportOptions.defaults());
    Random random = new Random(26);
    double[] values = random.doubles(120, -2, 2).toArray();
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {2, 3, 4, 5}, values);
    return Interpreter.run(graph, List.of(x)).getFirst();
  }

  private static void same(TestModel early, TestModel later) {
    Tensor got = run(early);
    Tensor expected = run(later);
    assertThat(got.type()).isEqualTo(expected.type());
    assertThat(SmallTensors.reals(got)).containsExactly(SmallTensors.reals(expected));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void computesWhatTheLaterFormDoes(Pair pair) {
    same(pair.early(), pair.later());
  }

  /// The second input's axes stand where `axis` says; without it they are the last ones.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1; 3; 3 1 1",
        "1; 3 4; 3 4 1",
        "0; 2; 2 1 1 1",
        "2; 4 5; 4 5",
        "-1; 5; 5",
        "1; 1; 1"
      })
  void broadcastsFromAnAxisOn(long axis, String shape, String aligned) {
    for (String op : List.of("Add", "Sub", "Mul", "Div", "Pow", "Greater", "Less")) {
      same(
          opset(6)
              .halves("b", dims(shape))
              .node(op, "x b", "y", BROADCAST, attribute("axis", axis)),
          opset(9).halves("b", dims(aligned)).node(op, "x b", "y"));
    }
  }

  private static long[] dims(String text) {
    return Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void theLastAxesAreMeantWithoutAnAxis() {
    same(
        opset(1).halves("b", 4, 5).node("Add", "x b", "y", BROADCAST, HINT),
        opset(7).halves("b", 4, 5).node("Add", "x b", "y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Relu", "Sigmoid", "Tanh", "Exp", "Abs", "Clip", "Sum", "LeakyRelu"})
  void hintsOfEarlyOpsetsAreReadOver(String op) {
    same(opset(5).node(op, "x", "y", HINT), opset(7).node(op, "x", "y"));
    assertThatThrownBy(() -> run(opset(6).node(op, "x", "y", HINT)))
        .hasMessageContaining("has attribute 'consumed_inputs'");
  }

  @Test
  void theFirstSeluHasConstantsOfItsOwn() {
    same(
        opset(5).node("Selu", "x", "y"),
        opset(7).node("Selu", "x", "y", real("alpha", 1.6732f), real("gamma", 1.0507f)));
  }

  @Test
  void whatCannotBeMeantIsNamed() {
    refused(
        "has axis 3, from which on f32[2,3,4,5] has fewer axes than f32[4,5]",
        opset(6).halves("b", 4, 5).node("Add", "x b", "y", BROADCAST, attribute("axis", 3)));
    refused(
        "has is_test = 0 and trains: export the model for inference",
        vectors(opset(6)).node("BatchNormalization", "x h h h h", "y m v a b"));
    refused(
        "casts to 'FLOAT32', which is no type",
        opset(5).node("Cast", "x", "y", attribute("to", "FLOAT32")));
    refused(
        "has attribute 'p' = 1.5, needs a whole number",
        opset(1).node("GlobalLpPool", "x", "y", real("p", 1.5f)));
  }

  private static void refused(String because, TestModel model) {
    assertThatThrownBy(() -> run(model)).hasMessageContaining(because);
  }
}
