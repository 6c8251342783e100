package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.device.DriverCalls;
import io.miniinference.device.TestCache;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Branches and loops as a user of the engine meets them: waits, limits, failures.
@OnEachDevice(optimised = false)
final class LoopTest {
  @Parameter TestedDevice tested;

  private static final int WIDTH = 2048;

  private Engine engine;

  @BeforeEach
  void openEngine() {
    engine =
        Engines.open(
            new EngineOptions(
                64L << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  private Model load(OnnxModel model) {
    return engine.load(model, LoadOptions.defaults().withMaxBatch(8));
  }

  /// Arrays of floats, longs or bytes, one per input.
  private static float[] run(Model model, List<long[]> shapes, Object... values) {
    InferenceRequest request =
        new InferenceRequest(shapes, (i, staging) -> staging.copyFrom(segment(values[i])));
    return model.infer(
        request, outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }

  private static MemorySegment segment(Object values) {
    return switch (values) {
      case float[] floats -> MemorySegment.ofArray(floats);
      case long[] wholes -> MemorySegment.ofArray(wholes);
      case byte[] truths -> MemorySegment.ofArray(truths);
      default -> throw new IllegalArgumentException(values.toString());
    };
  }

  private static float[] filled(float value) {
    float[] values = new float[WIDTH];
    Arrays.fill(values, value);
    return values;
  }

  /// `y = x + trips · x`.
  private static OnnxModel counted() {
    LoopModels body =
        graph().inputs("i go p").node("n = Add p x").node("more = Identity go").outputs("more n");
    return graph()
        .input("x", DataType.FLOAT, "2048")
        .input("trips", DataType.INT64)
        .node("y = Loop trips - x", attribute("body", body))
        .outputs("y")
        .model("counted");
  }

  private static float[] counted(Model model, float x, long trips) {
    return run(model, List.of(new long[] {WIDTH}, new long[0]), filled(x), new long[] {trips});
  }

  @Test
  void aLoopWhoseCountTheHostKnowsWaitsOnce() {
    Model model = load(counted());
    assertThat(model.plan(1).json()).contains("\"hostSyncs\":0");
    DriverCalls before = engine.driverCalls();
    for (int trips = 0; trips < 5; trips++) {
      assertThat(counted(model, 2, trips)).isEqualTo(filled(2 + 2 * trips));
    }
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(5);
    assertThat(engine.driverCalls().allocations()).isEqualTo(before.allocations());
  }

  @Test
  void aLoopThatGoesOnTooLongIsRefusedAndTheNextRequestIsNot() {
    Model model = engine.load(counted(), LoadOptions.defaults().withMaxIterations(10));
    assertThat(counted(model, 1, 10)).isEqualTo(filled(11));
    assertThatThrownBy(() -> counted(model, 1, Long.MAX_VALUE))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "node 'y_Loop' (Loop): goes on after 10 iterations, the most that the loops of a request"
                + " may take together; engine.loops.max-iterations raises it");
    assertThat(counted(model, 3, 2)).isEqualTo(filled(9));
  }

  /// Doubles `x` until its largest element is 100 or more.
  private static OnnxModel growing() {
    LoopModels body =
        graph()
            .inputs("i go p")
            .floats("hundred", new long[0], 100)
            .node("n = Add p p")
            .node("m = ReduceMax n", attribute("keepdims", 0))
            .node("more = Less m hundred")
            .outputs("more n");
    return graph()
        .input("x", DataType.FLOAT, "2048")
        .input("go", DataType.BOOL)
        .node("y = Loop - go x", attribute("body", body))
        .outputs("y")
        .model("growing");
  }

  private static float[] growing(Model model, float x, boolean go) {
    byte[] condition = {(byte) (go ? 1 : 0)};
    return run(model, List.of(new long[] {WIDTH}, new long[0]), filled(x), condition);
  }

  @Test
  void aLoopThatTheDeviceEndsWaitsOnceMoreForEachIteration() {
    Model model = load(growing());
    assertThat(model.plan(1).json()).contains("\"hostSyncs\":1");
    DriverCalls before = engine.driverCalls();
    assertThat(growing(model, 30, true)).isEqualTo(filled(120));
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(1 + 2);
    assertThat(growing(model, 30, false)).isEqualTo(filled(30));
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(1 + 2 + 1);
  }

  @Test
  void aLoopThatTheDeviceNeverEndsIsEnded() {
    Model model = engine.load(growing(), LoadOptions.defaults().withMaxIterations(50));
    assertThatThrownBy(() -> growing(model, -1, true))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("goes on after 50 iterations");
    assertThat(growing(model, 60, true)).isEqualTo(filled(120));
  }

  /// Looks up `a[:, i]` in three elements and `b[:, i]` in four, in each of five iterations.
  private static OnnxModel looking() {
    LoopModels body =
        graph()
            .inputs("i go p")
            .floats("three", new long[] {3, 1}, 1, 2, 3)
            .floats("four", new long[] {4, 1}, 10, 20, 30, 40)
            .node("ai = Gather a i", attribute("axis", 1))
            .node("bi = Gather b i", attribute("axis", 1))
            .node("u = Gather three ai")
            .node("v = Gather four bi")
            .node("s = Add u v")
            .node("n = Add p s")
            .node("more = Identity go")
            .outputs("more n");
    return graph()
        .input("a", DataType.INT64, "N", "5")
        .input("b", DataType.INT64, "N", "5")
        .input("h", DataType.FLOAT, "N", "1")
        .whole("five", 5)
        .node("y = Loop five - h", attribute("body", body))
        .outputs("y")
        .model("looking");
  }

  private static float[] looking(Model model, long[] a, long[] b) {
    long rows = a.length / 5;
    List<long[]> shapes = List.of(new long[] {rows, 5}, new long[] {rows, 5}, new long[] {rows, 1});
    return run(model, shapes, a, b, new float[(int) rows]);
  }

  private static long[] indices(int rows) {
    return new long[rows * 5];
  }

  @Test
  void theFirstFailureOfARowIsTheOneOfTheEarliestIteration() {
    Model model = load(looking());
    long[] a = indices(3);
    long[] b = indices(3);
    a[5 + 3] = 9; // row 1, iteration 3
    b[5 + 2] = -7; // row 1, iteration 2, a later node
    b[10 + 4] = 5; // row 2, iteration 4
    a[10 + 4] = 6; // row 2, iteration 4, an earlier node
    RequestFailedException e =
        catchThrowableOfType(RequestFailedException.class, () -> looking(model, a, b));
    assertThat(e.failures())
        .extracting(FailureReport::message)
        .containsExactly(
            "node 'v_Gather' (Gather): index -7 is outside [-4, 3] on axis 0, at row 1,"
                + " iteration 2, position 1",
            "node 'u_Gather' (Gather): index 6 is outside [-3, 2] on axis 0, at row 2,"
                + " iteration 4, position 2");
    assertThat(looking(model, indices(3), indices(3))).containsExactly(55, 55, 55);
  }

  @Test
  void theSameFailureIsReportedInEveryRun() {
    Model model = load(looking());
    long[] a = indices(8);
    for (int row = 0; row < 8; row++) {
      a[5 * row + row % 5] = 100 + row;
    }
    RequestFailedException first =
        catchThrowableOfType(RequestFailedException.class, () -> looking(model, a, indices(8)));
    assertThat(first.failures())
        .extracting(FailureReport::row)
        .containsExactly(0, 5, 1, 6, 2, 7, 3, 4);
    for (int k = 0; k < 50; k++) {
      RequestFailedException again =
          catchThrowableOfType(RequestFailedException.class, () -> looking(model, a, indices(8)));
      assertThat(again.failures()).isEqualTo(first.failures());
    }
  }

  /// Looks up in a table of two where `x` is positive in sum, in one of five elsewhere.
  private static OnnxModel branching() {
    LoopModels then =
        graph().floats("two", new long[] {2}, 1, 2).node("t = Gather two k").outputs("t");
    LoopModels otherwise =
        graph()
            .floats("five", new long[] {5}, 3, 4, 5, 6, 7)
            .node("e = Gather five k")
            .outputs("e");
    return graph()
        .input("x", DataType.FLOAT, "2048")
        .input("k", DataType.INT64, "3")
        .floats("zero", new long[0], 0)
        .node("m = ReduceMax x", attribute("keepdims", 0))
        .node("c = Greater m zero")
        .node("y = If c", attribute("then_branch", then), attribute("else_branch", otherwise))
        .outputs("y")
        .model("branching");
  }

  private static float[] branching(Model model, float x, long... k) {
    return run(model, List.of(new long[] {WIDTH}, new long[] {3}), filled(x), k);
  }

  @Test
  void onlyTheBranchThatIsTakenFails() {
    Model model = load(branching());
    DriverCalls before = engine.driverCalls();
    assertThat(branching(model, 1, 0, 1, -2)).containsExactly(1, 2, 1);
    assertThat(branching(model, -1, 0, 1, 4)).containsExactly(3, 4, 7);
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(2);
    assertThatThrownBy(() -> branching(model, 1, 0, 1, 4))
        .hasMessage("node 't_Gather' (Gather): index 4 is outside [-2, 1] on axis 0, position 2");
    assertThatThrownBy(() -> branching(model, -1, 7, 1, 4))
        .hasMessage("node 'e_Gather' (Gather): index 7 is outside [-5, 4] on axis 0, position 0");
    assertThat(branching(model, -1, 0, 1, 4)).containsExactly(3, 4, 7);
  }

  /// Looks up `k` in a table of counts, and adds `x` to itself so many times.
  private static OnnxModel doubtful() {
    LoopModels body =
        graph().inputs("i go p").node("n = Add p x").node("more = Identity go").outputs("more n");
    return graph()
        .input("x", DataType.FLOAT, "2048")
        .input("k", DataType.INT64, "1")
        .floats("counts", new long[] {2, 1}, 3, 1e9f)
        .node("c = Gather counts k")
        .node("w = Cast c", attribute("to", 7))
        .node("t = Squeeze w")
        .node("y = Loop t - x", attribute("body", body))
        .outputs("y")
        .model("doubtful");
  }

  private static float[] doubtful(Model model, long k) {
    return run(model, List.of(new long[] {WIDTH}, new long[] {1}), filled(1), new long[] {k});
  }

  @Test
  void aCountReadAfterAFailureIsNotObeyed() {
    Model model = engine.load(doubtful(), LoadOptions.defaults().withMaxIterations(100));
    assertThat(doubtful(model, 0)).isEqualTo(filled(4));
    assertThatThrownBy(() -> doubtful(model, 2))
        .isInstanceOf(RequestFailedException.class)
        .hasMessageContaining("node 'c_Gather' (Gather): index 2 is outside [-2, 1]");
    assertThat(doubtful(model, 0)).isEqualTo(filled(4));
  }

  @Test
  void waitsAreThoseOfThePlanWhetherARequestFailsOrNot() {
    Model model = load(doubtful());
    assertThat(model.plan(1).json()).contains("\"hostSyncs\":1");
    DriverCalls before = engine.driverCalls();
    doubtful(model, 0);
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(1 + 1);
    assertThatThrownBy(() -> doubtful(model, 7)).isInstanceOf(RequestFailedException.class);
    assertThat(engine.driverCalls().waits() - before.waits()).isEqualTo(2 * (1 + 1));
  }

  @Test
  void aRequestOfTooManyIterationsTellsWhatFailedBefore() {
    LoopModels body =
        graph().inputs("i go p").node("n = Add p u").node("more = Identity go").outputs("more n");
    OnnxModel model =
        graph()
            .input("k", DataType.INT64, "N", "1")
            .input("trips", DataType.INT64)
            .floats("two", new long[] {2}, 1, 2)
            .node("u = Gather two k")
            .node("y = Loop trips - u", attribute("body", body))
            .outputs("y")
            .model("late");
    Model loaded = engine.load(model, LoadOptions.defaults().withMaxIterations(10));
    List<long[]> shapes = List.of(new long[] {2, 1}, new long[0]);
    assertThatThrownBy(() -> run(loaded, shapes, new long[] {0, 5}, new long[] {11}))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("node 'y_Loop' (Loop): goes on after 10 iterations")
        .hasMessageEndingWith(
            "; before that, node 'u_Gather' (Gather): index 5 is outside [-2, 1] on axis 0, at row"
                + " 1, position 1");
    assertThat(run(loaded, shapes, new long[] {0, 1}, new long[] {2})).containsExactly(3, 6);
  }

  @Test
  void aFailureInAScanTellsTheIteration() {
    LoopModels body =
        graph()
            .inputs("s k")
            .floats("three", new long[] {3}, 1, 2, 3)
            .node("u = Gather three k")
            .node("n = Add s u")
            .outputs("n u");
    OnnxModel scanning =
        graph()
            .input("s0", DataType.FLOAT, "2")
            .input("k", DataType.INT64, "4", "2")
            .node("s us = Scan s0 k", attribute("body", body), attribute("num_scan_inputs", 1))
            .outputs("s us")
            .model("scanning");
    Model model = load(scanning);
    List<long[]> shapes = List.of(new long[] {2}, new long[] {4, 2});
    long[] k = {0, 1, 2, 0, 1, 2, -1, -3};
    assertThat(run(model, shapes, new float[2], k)).containsExactly(9, 7);
    k[5] = 3;
    k[6] = -4;
    assertThatThrownBy(() -> run(model, shapes, new float[2], k))
        .hasMessage(
            "node 'u_Gather' (Gather): index 3 is outside [-3, 2] on axis 0, iteration 2, position 1");
    k[5] = 2;
    k[6] = -1;
    assertThat(run(model, shapes, new float[2], k)).containsExactly(9, 7);
  }
}
