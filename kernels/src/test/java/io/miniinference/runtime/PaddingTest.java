package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestBatch.Outcome;
import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests whose sizes are filled up: answered as alone, planned as few, and run together.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class PaddingTest {
  private static final Map<String, Long> SIXTEENS = Map.of("sequence", 16L);
  private static final int WIDTH = 3;

  @Parameter TestedDevice tested;

  private @Nullable Engine engine;

  private Model load(OnnxModel model, LoadOptions options) {
    Engine opened =
        Engines.open(
            new EngineOptions(
                16L << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
    engine = opened;
    return opened.load(model, options);
  }

  @AfterEach
  void closeEngine() {
    if (engine != null) {
      engine.close();
    }
  }

  /* `doubled` has the length of its request; `mean` has not, and takes what the mask lets it, or
  by mistake more. */
  private static OnnxModel pooled(boolean byMask) {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "batch,sequence," + WIDTH)
            .longs("mask", "batch,sequence")
            .constant("last", -1)
            .constant("first", 1)
            .node("Cast", "mask", "weights", "to=1")
            .node("Unsqueeze", "weights last", "column")
            .node("Mul", "x column", "kept")
            .node("ReduceSum", "kept first", "sum", "keepdims=0")
            .node("Add", "kept kept", "doubled");
    TestModel counted =
        byMask
            ? model.node("ReduceSum", "weights first", "count", "keepdims=1")
            : model
                .node("Cos", "weights", "cosine")
                .node("ReduceSum", "cosine first", "count", "keepdims=1");
    return counted
        .node("Div", "sum count", "mean")
        .output("doubled", "batch,sequence," + WIDTH)
        .output("mean", "batch," + WIDTH)
        .read("pooled");
  }

  private static float value(long seed, long index) {
    return (float) ((seed * 31 + index * 17) % 23 - 11) / 4;
  }

  private static InferenceRequest request(long batch, long length, long seed) {
    return new InferenceRequest(
        List.of(new long[] {batch, length, WIDTH}, new long[] {batch, length}),
        (input, staging) -> {
          for (long i = 0; i < batch * length * (input == 0 ? WIDTH : 1); i++) {
            if (input == 0) {
              staging.setAtIndex(ValueLayout.JAVA_FLOAT, i, value(seed, i));
            } else {
              staging.setAtIndex(ValueLayout.JAVA_LONG, i, 1);
            }
          }
        });
  }

  private static List<float[]> floats(List<Output> outputs) {
    return outputs.stream().map(it -> it.data().toArray(ValueLayout.JAVA_FLOAT)).toList();
  }

  private static void check(List<float[]> answer, int batch, int length, long seed) {
    float[] doubled = new float[batch * length * WIDTH];
    float[] mean = new float[batch * WIDTH];
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] = 2 * value(seed, i);
      mean[i / (length * WIDTH) * WIDTH + i % WIDTH] += value(seed, i);
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= length;
    }
    assertThat(answer.get(0)).containsExactly(doubled);
    assertThat(answer.get(1)).usingComparatorWithPrecision(1e-5f).containsExactly(mean);
  }

  @Test
  void requestsOfManyLengthsAreAnsweredAsAloneAndPlannedAsOne() {
    Model model = load(pooled(true), LoadOptions.defaults().withPadding(SIXTEENS));
    long tried = model.specialisations().orElseThrow().compiled();
    for (int length = 1; length <= 16; length++) {
      for (int batch : new int[] {1, 3}) {
        check(
            model.infer(request(batch, length, length), PaddingTest::floats),
            batch,
            length,
            length);
      }
    }
    assertThat(model.specialisations().orElseThrow().compiled()).isEqualTo(tried);
    check(model.infer(request(2, 17, 5), PaddingTest::floats), 2, 17, 5);
    assertThat(model.specialisations().orElseThrow().compiled()).isEqualTo(tried + 1);
  }

  @Test
  void requestsThatArePaddedAlikeRunTogether() {
    Model model = load(pooled(true), LoadOptions.defaults().withPadding(SIXTEENS));
    List<Member<List<float[]>>> members =
        List.of(
            new Member<>(request(1, 5, 1), PaddingTest::floats),
            new Member<>(request(2, 16, 2), PaddingTest::floats),
            new Member<>(request(1, 11, 3), PaddingTest::floats));

    List<Outcome<List<float[]>>> outcomes =
        RequestBatch.of(model, members.stream().map(model::asRun).toList()).infer();

    check(answer(outcomes.get(0)), 1, 5, 1);
    check(answer(outcomes.get(1)), 2, 16, 2);
    check(answer(outcomes.get(2)), 1, 11, 3);
    assertThatThrownBy(() -> RequestBatch.of(model, members))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("request 1: its sizes")
        .hasMessageContaining("do not run as one batch");
  }

  private static <T> T answer(Outcome<T> outcome) {
    return ((Outcome.Answered<T>) outcome).value();
  }

  @Test
  void sizesAreFilledUpNoFurtherThanTheirBound() {
    Model model =
        load(
            pooled(true),
            LoadOptions.defaults().withPadding(SIXTEENS).withBounds(Map.of("sequence", 20L)));
    check(model.infer(request(2, 18, 4), PaddingTest::floats), 2, 18, 4);
    long[] ran = model.asRun(new Member<>(request(2, 18, 4), _ -> true)).request().shapes().get(1);
    assertThat(ran).containsExactly(2, 20);
    assertThatThrownBy(() -> model.infer(request(1, 21, 4), PaddingTest::floats))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("takes at most 20 of 'sequence'");
  }

  @Test
  void anEmptyRequestStaysEmpty() {
    Model model = load(pooled(true), LoadOptions.defaults().withPadding(SIXTEENS));
    List<float[]> answer = model.infer(request(2, 0, 1), PaddingTest::floats);
    assertThat(answer.get(0)).isEmpty();
    assertThat(answer.get(1)).hasSize(2 * WIDTH);
  }

  @Test
  void aLengthBeyondAllNumbersIsRefused() {
    Model model = load(pooled(true), LoadOptions.defaults().withPadding(SIXTEENS));
    InferenceRequest endless = request(0, Long.MAX_VALUE - 3, 1);
    assertThatThrownBy(() -> model.asRun(new Member<>(endless, _ -> true)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "[0,9223372036854775804,3]: its sizes are beyond 2147483647 together");
  }

  @Test
  void aModelThatLooksAtItsPaddingIsRefused() {
    OnnxModel model = pooled(false); // the cosine of a zero counts
    assertThatThrownBy(() -> load(model, LoadOptions.defaults().withPadding(SIXTEENS)))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("engine.models.settings.pooled.padding")
        .hasMessageContaining("a request of sequence=8, padded with zeros to sequence=16")
        .hasMessageContaining("output 'mean' is off by");
  }

  @Test
  void whatCannotBePaddedIsRefusedByName() {
    assertThatThrownBy(
            () -> load(pooled(true), LoadOptions.defaults().withPadding(Map.of("sequense", 8L))))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("sequense is no open dimension of the model, which has [sequence]");
    closeEngine();
    OnnxModel twice =
        TestModel.opset(17)
            .floats("x", "batch,sequence")
            .node("Concat", "x x", "y", "axis=1")
            .output("y", "batch,length")
            .read("twice");
    assertThatThrownBy(() -> load(twice, LoadOptions.defaults().withPadding(SIXTEENS)))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("output 'y' is f32[N,length], and axis 1 is neither")
        .hasMessageContaining("export the model with the dimension's name there");
  }

  /// Exporters make up names for the sizes of outputs, or declare none.
  @ParameterizedTest
  @ValueSource(strings = {"batch,length,width", "batch,sequence,width", "rows,length,3", ""})
  void sizesOfOutputsAreFoundWhereTheFileDoesNotNameThem(String declared) {
    TestModel made =
        TestModel.opset(17).floats("x", "batch,sequence," + WIDTH).node("Add", "x x", "doubled");
    OnnxModel unnamed =
        (declared.isEmpty() ? made.output("doubled") : made.output("doubled", declared))
            .read("unnamed");
    Model model = load(unnamed, LoadOptions.defaults().withPadding(SIXTEENS));
    for (int length : new int[] {1, 5, 16, 21}) {
      InferenceRequest whole = request(2, length, length);
      InferenceRequest request = whole.withShapes(whole.shapes().subList(0, 1), whole.writer());
      List<Output> answer = model.infer(request, PaddingTest::copied);
      assertThat(answer.getFirst().shape()).containsExactly(2, length, WIDTH);
      float[] values = floats(answer).getFirst();
      for (int i = 0; i < values.length; i++) {
        assertThat(values[i]).isEqualTo(2 * value(length, i));
      }
    }
  }

  private static List<Output> copied(List<Output> outputs) {
    return outputs.stream()
        .map(it ->
            new Output(
                it.shape(), MemorySegment.ofArray(it.data().toArray(ValueLayout.JAVA_FLOAT))))
        .toList();
  }

  @Test
  void ofTwoSizesEachOutputHasItsOwn() {
    OnnxModel outer =
        TestModel.opset(17)
            .floats("x", "batch,rows,1")
            .floats("y", "batch,1,columns")
            .node("Mul", "x y", "products")
            .node("Add", "y y", "doubled")
            .output("products", "batch,a,b")
            .output("doubled", "batch,c,d")
            .read("outer");
    Model model =
        load(outer, LoadOptions.defaults().withPadding(Map.of("rows", 4L, "columns", 8L)));
    List<Output> answer =
        model.infer(
            new InferenceRequest(
                List.of(new long[] {1, 3, 1}, new long[] {1, 1, 5}),
                (input, staging) -> {
                  for (int i = 0; i < (input == 0 ? 3 : 5); i++) {
                    staging.setAtIndex(ValueLayout.JAVA_FLOAT, i, input == 0 ? i : 10 * i);
                  }
                }),
            PaddingTest::copied);
    assertThat(answer.get(0).shape()).containsExactly(1, 3, 5);
    assertThat(answer.get(1).shape()).containsExactly(1, 1, 5);
    assertThat(floats(answer).get(0))
        .containsExactly(0, 0, 0, 0, 0, 0, 10, 20, 30, 40, 0, 20, 40, 60, 80);
  }

  @Test
  void multiplesAreTwoOrMore() {
    LoadOptions options = LoadOptions.defaults();
    assertThatThrownBy(() -> options.withPadding(Map.of("sequence", 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("padding of sequence to multiples of 1, not of 2 or more");
  }
}
