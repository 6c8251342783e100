package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.real;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that take what an earlier call left: in two calls they give what they give in one.
class StatefulLayersTest {
  private static final int BATCH = 2;
  private static final int CHANNELS = 3;
  private static final int TAPS = 4;
  private static final int HEADS = 2;
  private static final int SIZE = 3;
  private static final long SEED = 11;

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static List<float[]> run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs)).stream().map(Tensor::floats).toList();
  }

  private static Tensor random(Random random, long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }

  /// Elements `from` to `to` along the middle of three axes.
  private static Tensor part(Tensor x, int from, int to) {
    int rows = (int) x.shape()[0];
    int length = (int) x.shape()[1];
    int size = (int) x.shape()[2];
    float[] values = new float[rows * (to - from) * size];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(
          x.floats(),
          (r * length + from) * size,
          values,
          r * (to - from) * size,
          (to - from) * size);
    }
    return Tensor.of(values, rows, to - from, size);
  }

  private static String[] dims(Tensor x) {
    List<String> dims = new ArrayList<>();
    for (long dim : x.shape()) {
      dims.add(Long.toString(dim));
    }
    dims.set(0, "N");
    return dims.toArray(String[]::new);
  }

  private static TestModel attention(String rule, Tensor query, boolean hasState) {
    String keySize = Integer.toString(SIZE);
    TestModel model =
        TestModel.opset(27)
            .floats("q", dims(query))
            .floats("k", "N", dims(query)[1], Integer.toString(HEADS * SIZE))
            .floats("v", "N", dims(query)[1], Integer.toString(HEADS * SIZE));
    if (hasState) {
      model.floats("s", "N", Integer.toString(HEADS), keySize, keySize);
    }
    boolean decays = rule.startsWith("gated");
    boolean corrects = rule.endsWith("delta");
    if (decays) {
      model.floats("d", "N", dims(query)[1], Integer.toString(HEADS));
    }
    if (corrects) {
      model.floats("r", "N", dims(query)[1], "1");
    }
    String inputs =
        "q k v %s %s %s".formatted(hasState ? "s" : "-", decays ? "d" : "-", corrects ? "r" : "-");
    return model
        .node(
            "LinearAttention",
            inputs,
            "y t",
            attribute("q_num_heads", 2L * HEADS),
            attribute("kv_num_heads", HEADS),
            attribute("update_rule", rule))
        .output("y")
        .output("t");
  }

  private static Tensor[] given(String rule, List<Tensor> tokens, Tensor... state) {
    List<Tensor> given = new ArrayList<>(tokens.subList(0, 3));
    given.addAll(List.of(state));
    if (rule.startsWith("gated")) {
      given.add(tokens.get(3));
    }
    if (rule.endsWith("delta")) {
      given.add(tokens.get(4));
    }
    return given.toArray(Tensor[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "gated", "delta", "gated_delta"})
  void tokensInTwoCallsAreReadAsInOne(String rule) {
    Random random = new Random(SEED);
    int length = 5;
    List<Tensor> all =
        List.of(
            random(random, BATCH, length, 2 * HEADS * SIZE),
            random(random, BATCH, length, HEADS * SIZE),
            random(random, BATCH, length, HEADS * SIZE),
            random(random, BATCH, length, HEADS),
            random(random, BATCH, length, 1));
    List<float[]> whole = run(attention(rule, all.getFirst(), false), given(rule, all));
    List<Tensor> first = all.stream().map(x -> part(x, 0, 2)).toList();
    List<Tensor> second = all.stream().map(x -> part(x, 2, length)).toList();
    List<float[]> one = run(attention(rule, first.getFirst(), false), given(rule, first));
    Tensor state = Tensor.of(one.get(1), BATCH, HEADS, SIZE, SIZE);
    List<float[]> two = run(attention(rule, second.getFirst(), true), given(rule, second, state));
    assertThat(two.get(1)).as("seed %d", SEED).containsExactly(whole.get(1), within(1e-6f));
    Tensor expected = Tensor.of(whole.getFirst(), BATCH, length, 2L * HEADS * SIZE);
    assertThat(one.getFirst()).containsExactly(part(expected, 0, 2).floats(), within(1e-6f));
    assertThat(two.getFirst()).containsExactly(part(expected, 2, length).floats(), within(1e-6f));
  }

  @Test
  void noTokensLeaveTheState() {
    Random random = new Random(SEED);
    Tensor state = random(random, BATCH, HEADS, SIZE, SIZE);
    Tensor none = Tensor.of(new float[0], BATCH, 0, HEADS * SIZE);
    Tensor queries = Tensor.of(new float[0], BATCH, 0, 2L * HEADS * SIZE);
    List<float[]> results = run(attention("linear", queries, true), queries, none, none, state);
    assertThat(results.getFirst()).isEmpty();
    assertThat(results.get(1)).containsExactly(state.floats());
  }

  @Test
  void aRuleNeedsItsInputsAndTakesNoOthers() {
    Tensor query = Tensor.of(new float[BATCH * 2 * HEADS * SIZE], BATCH, 1, 2L * HEADS * SIZE);
    TestModel model =
        TestModel.opset(27)
            .floats("q", dims(query))
            .node(
                "LinearAttention",
                "q q q",
                "y",
                attribute("q_num_heads", HEADS),
                attribute("kv_num_heads", HEADS))
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has update rule 'gated_delta', which needs input 4");
  }

  @Test
  void headsThatDoNotShareEvenlyAreRefused() {
    TestModel model =
        TestModel.opset(27)
            .floats("q", "N", "1", "6")
            .node(
                "LinearAttention",
                "q q q",
                "y",
                attribute("q_num_heads", 3),
                attribute("kv_num_heads", 2),
                attribute("update_rule", "linear"))
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has 3 heads of queries and 2 of keys, of which the first must be");
  }

  private static TestModel convolution(int length, boolean hasState, String activation) {
    TestModel model =
        TestModel.opset(27)
            .floats("x", "N", Integer.toString(CHANNELS), Integer.toString(length))
            .halves("w", CHANNELS, 1, TAPS)
            .halves("b", CHANNELS);
    if (hasState) {
      model.floats("s", "N", Integer.toString(CHANNELS), Integer.toString(TAPS - 1));
    }
    return model
        .node(
            "CausalConvWithState",
            hasState ? "x w b s" : "x w b",
            "y t",
            attribute("activation", activation))
        .output("y")
        .output("t");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void aConvolutionInTwoCallsIsWhatItIsInOne(int first) {
    int length = 7;
    Tensor x = random(new Random(SEED), 1, CHANNELS, length);
    Tensor before = columns(x, 0, first);
    Tensor behind = columns(x, first, length);
    List<float[]> whole = run(convolution(length, false, "silu"), x);
    List<float[]> one = run(convolution(first, false, "silu"), before);
    Tensor state = Tensor.of(one.get(1), 1, CHANNELS, TAPS - 1);
    List<float[]> two = run(convolution(length - first, true, "silu"), behind, state);
    Tensor expected = Tensor.of(whole.getFirst(), 1, CHANNELS, length);
    assertThat(one.getFirst()).containsExactly(columns(expected, 0, first).floats(), within(1e-6f));
    assertThat(two.getFirst())
        .containsExactly(columns(expected, first, length).floats(), within(1e-6f));
    assertThat(two.get(1)).containsExactly(whole.get(1));
  }

  /// Of `[1, channels, length]`.
  private static Tensor columns(Tensor x, int from, int to) {
    int length = (int) x.shape()[2];
    float[] values = new float[CHANNELS * (to - from)];
    for (int k = 0; k < CHANNELS; k++) {
      System.arraycopy(x.floats(), k * length + from, values, k * (to - from), to - from);
    }
    return Tensor.of(values, 1, CHANNELS, to - from);
  }

  @Test
  void aStateOfAnotherLengthIsRefused() {
    TestModel model =
        TestModel.opset(27)
            .floats("x", "N", "3", "5")
            .halves("w", CHANNELS, 1, TAPS)
            .floats("s", "N", "3", "4")
            .node("CausalConvWithState", "x w - s", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has a state f32[N,3,4], needs the shape [N, 3, 3]");
  }

  private static TestModel flexible(TestModel body) {
    return TestModel.opset(26)
        .floats("q", "N", "2", "3", "4")
        .floats("k", "N", "1", "5", "4")
        .node(
            "ai.onnx.preview.FlexAttention",
            "q k k",
            "y",
            attribute("score_mod", body),
            real("scale", 0.5f))
        .output("y");
  }

  @Test
  void aBodyChangesTheScores() {
    TestModel none =
        TestModel.body().floats("scores").node("Sub", "scores scores", "none").output("none");
    Random random = new Random(SEED);
    Tensor query = random(random, 1, 2, 3, 4);
    Tensor keys = random(random, 1, 1, 5, 4);
    float[] mean = new float[4];
    for (int i = 0; i < keys.elements(); i++) {
      mean[i % 4] += keys.floats()[i] / 5;
    }
    float[] result = run(flexible(none), query, keys).getFirst();
    for (int i = 0; i < result.length; i++) {
      assertThat(result[i]).isCloseTo(mean[i % 4], within(1e-6f));
    }
  }

  @Test
  void aBodyThatChangesTheShapeIsRefused() {
    TestModel body =
        TestModel.body().floats("scores").node("ReduceMax", "scores", "largest").output("largest");
    assertThatThrownBy(() -> imported(flexible(body)))
        .hasMessageContaining("has a body 'score_mod' that makes [f32[1,1,1,1]]");
    TestModel two = TestModel.body().floats("a").floats("b").output("a");
    assertThatThrownBy(() -> imported(flexible(two)))
        .hasMessageContaining("has a body 'score_mod' of 2 inputs, takes one of 1");
  }
}
