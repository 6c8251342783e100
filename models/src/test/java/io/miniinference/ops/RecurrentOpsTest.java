package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.real;
import static io.miniinference.ops.TestModel.reals;
import static io.miniinference.ops.TestModel.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RNN, GRU and LSTM beside their formulas, with every option at random.
class RecurrentOpsTest {
  private static final int ROUNDS = 60;

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RNN", "GRU", "LSTM"})
  void allOptionsDoWhatTheFormulasSay(String op) {
    for (int seed = 0; seed < ROUNDS; seed++) {
      holds(new RecurrentReference(op, new Random(seed)), seed % 2 == 1, op + ", seed " + seed);
    }
  }

  private static void holds(RecurrentReference layer, boolean batchFirst, String what) {
    List<Tensor> values = new ArrayList<>();
    Graph graph = imported(model(layer, batchFirst, values));
    List<Tensor> results = Interpreter.run(graph, values);
    double[][][][] all = layer.run();
    expect(results.get(0), what + ", Y", flat(batchFirst ? batchFirst(layer, all) : all));
    expect(results.get(1), what + ", Y_h", states(layer.h, batchFirst));
    if (layer.op.equals("LSTM")) {
      expect(results.get(2), what + ", Y_c", states(layer.c, batchFirst));
    }
  }

  private static void expect(Tensor tensor, String what, double[] expected) {
    assertThat(SmallTensors.reals(tensor)).as(what).containsExactly(expected, within(1e-5));
  }

  /* With all inputs; their values are noted in order. */
  private static TestModel model(
      RecurrentReference layer, boolean batchFirst, List<Tensor> values) {
    TestModel model = TestModel.opset(22);
    double[] x = flat(batchFirst ? swapped(layer.x) : layer.x);
    List<Integer> axes =
        batchFirst ? List.of(layer.batch, layer.steps) : List.of(layer.steps, layer.batch);
    add(model, values, "x", x, axes.get(0), axes.get(1), layer.inputs);
    int rows = layer.gates() * layer.hidden;
    add(model, values, "w", flat(layer.w), layer.directions, rows, layer.inputs);
    add(model, values, "r", flat(layer.r), layer.directions, rows, layer.hidden);
    add(model, values, "b", flat(layer.b), layer.directions, 2 * rows);
    model.input("n", DataType.INT32, Integer.toString(layer.batch));
    values.add(lengths(layer.lengths));
    int first = batchFirst ? layer.batch : layer.directions;
    int second = batchFirst ? layer.directions : layer.batch;
    add(model, values, "h", states(layer.h, batchFirst), first, second, layer.hidden);
    String inputs = "x w r b n h";
    String outputs = "y hn";
    if (layer.op.equals("LSTM")) {
      add(model, values, "c", states(layer.c, batchFirst), first, second, layer.hidden);
      add(model, values, "p", flat(layer.p), layer.directions, 3 * layer.hidden);
      inputs += " c p";
      outputs += " cn";
    }
    model.node(layer.op, inputs, outputs, attributes(layer, batchFirst));
    Stream.of(outputs.split(" ", -1)).forEach(model::output);
    return model;
  }

  private static AttributeProto[] attributes(RecurrentReference layer, boolean batchFirst) {
    var all = new ArrayList<AttributeProto>();
    all.add(strings("activations", layer.functions));
    all.add(reals("activation_alpha", parameters(layer, RecurrentReference.ALPHAS::get)));
    all.add(reals("activation_beta", parameters(layer, RecurrentReference.BETAS::get)));
    all.add(attribute("hidden_size", layer.hidden));
    all.add(attribute("layout", batchFirst ? 1 : 0));
    String one = layer.reverse ? "reverse" : "forward";
    all.add(attribute("direction", layer.directions == 2 ? "bidirectional" : one));
    if (layer.clip < Double.POSITIVE_INFINITY) {
      all.add(real("clip", (float) layer.clip));
    }
    if (layer.op.equals("LSTM")) {
      all.add(attribute("input_forget", layer.flag ? 1 : 0));
    }
    if (layer.op.equals("GRU")) {
      all.add(attribute("linear_before_reset", layer.flag ? 1 : 0));
    }
    return all.toArray(AttributeProto[]::new);
  }

  private static List<Float> parameters(
      RecurrentReference layer, Function<String, @Nullable Float> parameter) {
    return layer.functions.stream().map(parameter).filter(Objects::nonNull).toList();
  }

  private static void add(
      TestModel model, List<Tensor> values, String name, double[] elements, int... dims) {
    String[] texts = Arrays.stream(dims).mapToObj(Integer::toString).toArray(String[]::new);
    model.floats(name, texts);
    values.add(
        SmallTensors.of(ElementType.F32, Arrays.stream(dims).asLongStream().toArray(), elements));
  }

  private static Tensor lengths(int[] lengths) {
    long[] elements = Arrays.stream(lengths).asLongStream().toArray();
    return SmallTensors.of(ElementType.I32, new long[] {lengths.length}, elements);
  }

  private static double[] flat(Object[] nested) {
    return Arrays.stream(nested)
        .flatMapToDouble(
            part -> Arrays.stream(part instanceof double[] row ? row : flat((Object[]) part)))
        .toArray();
  }

  private static double[][][] swapped(double[][][] x) {
    int inner = x.length == 0 ? 0 : x[0].length;
    double[][][] swapped = new double[inner][x.length][];
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < inner; j++) {
        swapped[j][i] = x[i][j];
      }
    }
    return swapped;
  }

  private static double[] states(double[][][] states, boolean batchFirst) {
    return flat(batchFirst ? swapped(states) : states);
  }

  /* [steps][directions][batch] as [batch][steps][directions]. */
  private static double[][][][] batchFirst(RecurrentReference layer, double[][][][] y) {
    double[][][][] turned = new double[layer.batch][layer.steps][layer.directions][];
    for (int row = 0; row < layer.batch; row++) {
      for (int step = 0; step < layer.steps; step++) {
        for (int d = 0; d < layer.directions; d++) {
          turned[row][step][d] = y[step][d][row];
        }
      }
    }
    return turned;
  }

  private static TestModel lstm(AttributeProto... attributes) {
    return TestModel.opset(14)
        .floats("x", "3", "2", "2")
        .floats("w", "1", "16", "2")
        .floats("r", "1", "16", "4")
        .node("LSTM", "x w r", "y", attributes)
        .output("y");
  }

  @Test
  void theLastStateOfARowIsOfThatRowAlone() {
    Graph graph =
        imported(
            TestModel.opset(14)
                .floats("x", "N", "3", "2")
                .halves("w", 1, 12, 2)
                .halves("r", 1, 12, 4)
                .node("GRU", "x w r", "y h", attribute("hidden_size", 4), attribute("layout", 1))
                .output("h"));
    assertThat(graph.isBatchable()).isTrue();
  }

  /* As exporters write a layer of sequences whose batch is first. */
  private static TestModel classifier() {
    return TestModel.opset(17)
        .floats("x", "N", "5", "2")
        .halves("w", 2, 16, 2)
        .halves("r", 2, 16, 4)
        .constant("one", 1)
        .constant("last", -1)
        .node("Transpose", "x", "steps", integers("perm", 1, 0, 2))
        .node("LSTM", "steps w r", "y h", attribute("direction", "bidirectional"))
        .node("Transpose", "y", "rows", integers("perm", 2, 0, 1, 3))
        .node("Gather", "rows last", "end", attribute("axis", 1))
        .node("Transpose", "h", "states", integers("perm", 1, 0, 2))
        .output("end")
        .output("states");
  }

  @Test
  void rowsOfABatchAreApartThoughTheStepsComeFirst() {
    Graph graph = imported(classifier());
    assertThat(graph.isBatchable()).isTrue();
    Random random = new Random(7);
    double[] x = random.doubles(3 * 10, -1, 1).toArray();
    List<Tensor> together = Interpreter.run(graph, List.of(rows(x, 3)));
    for (int row = 0; row < 3; row++) {
      double[] own = Arrays.copyOfRange(x, row * 10, row * 10 + 10);
      List<Tensor> alone = Interpreter.run(graph, List.of(rows(own, 1)));
      for (int output = 0; output < 2; output++) {
        double[] all = SmallTensors.reals(together.get(output));
        double[] expected = SmallTensors.reals(alone.get(output));
        int size = all.length / 3;
        assertThat(Arrays.copyOfRange(all, row * size, row * size + size)).isEqualTo(expected);
      }
    }
  }

  private static Tensor rows(double[] elements, int rows) {
    return SmallTensors.of(ElementType.F32, new long[] {rows, 5, 2}, elements);
  }

  @Test
  void whatDoesNotFitIsNamed() {
    assertThatThrownBy(() -> imported(lstm(attribute("hidden_size", 5))))
        .hasMessageContaining("has hidden_size 5, and recurrent weights f32[1,16,4]");
    assertThatThrownBy(() -> imported(lstm(attribute("direction", "bidirectional"))))
        .hasMessageContaining("has weights f32[1,16,2], needs [2, 16, 2]");
    assertThatThrownBy(() -> imported(lstm(attribute("direction", "sideways"))))
        .hasMessageContaining("has attribute 'direction' = 'sideways'");
    assertThatThrownBy(() -> imported(lstm(strings("activations", List.of("Tanh")))))
        .hasMessageContaining("has 1 activations, needs 3");
    assertThatThrownBy(
            () -> imported(lstm(strings("activations", List.of("Tanh", "Tanh", "Cosh")))))
        .hasMessageContaining("has activation 'Cosh', which is none of the standard's");
  }
}
