package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.device.DriverCalls;
import io.miniinference.device.TestCache;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/// What models with sizes besides the batch keep to: compiled per shape, in held blocks.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class SpecialisationTest {
  @Parameter TestedDevice tested;

  private static final long[][] SHAPES = {{2, 3}, {4, 5}, {1, 64}};

  private @Nullable Engine engine;

  private Engine open(long poolBytes) {
    EngineOptions options =
        new EngineOptions(
            poolBytes, tested.device(), null, null, tested.codegen(), TestCache.FOLDER);
    Engine opened = Engines.open(options);
    engine = opened;
    return opened;
  }

  @AfterEach
  void closeEngine() {
    if (engine != null) {
      engine.close();
    }
  }

  private static float[] pick(Model model, long[] shape, long index) {
    long[] indices = new long[(int) (shape[0] * shape[1])];
    Arrays.fill(indices, index);
    return TinyModels.picked(model, shape, indices);
  }

  @Test
  void aThousandRequestsOfThreeShapesTakeNoNewBlockAfterTheFirstRound() {
    Engine open = open(16L << 20);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    for (long[] shape : SHAPES) {
      pick(model, shape, 0);
    }
    PoolStatistics before = open.pool().statistics();
    DriverCalls calls = open.driverCalls();
    for (int k = 0; k < 1000; k++) {
      int row = k % 5;
      float[] picked = pick(model, SHAPES[k % SHAPES.length], row);
      assertThat(picked[picked.length - 1]).isEqualTo(10 * row + 1);
    }
    PoolStatistics after = open.pool().statistics();
    assertThat(after.events().splits()).isEqualTo(before.events().splits());
    assertThat(after.events().coalescings()).isEqualTo(before.events().coalescings());
    assertThat(after.events().heldMisses()).isEqualTo(before.events().heldMisses());
    assertThat(after.events().heldHits()).isEqualTo(before.events().heldHits() + 1000);
    assertThat(open.driverCalls().allocations()).isEqualTo(calls.allocations());
    assertThat(open.driverCalls().builds()).isEqualTo(calls.builds());
  }

  @Test
  void kernelsOfAllShapesAreCountedAheadOfTheFirstRequest() {
    Engine open = open(16L << 20);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());

    int counted = model.kernelsOfAllShapes(Map.of("B", 5L));

    assertThat(counted > 0).isEqualTo(tested.isOpenCl());
    assertThat(model.specialisations().orElseThrow().kernels()).isZero();
    pick(model, new long[] {2, 5}, 0);
    assertThat(model.specialisations().orElseThrow().kernels())
        .isEqualTo(counted)
        .isLessThanOrEqualTo(model.specialisations().orElseThrow().mostKernels());
  }

  @Test
  @Timeout(120)
  void requestsOfKnownShapesAreServedWhileNewOnesAreCompiled() throws Exception {
    Model model = open(16L << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    AtomicBoolean compiling = new AtomicBoolean(true);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> callers =
          Stream.of(SHAPES)
              .map(shape -> threads.submit(() -> ask(model, shape, compiling)))
              .toList();
      try {
        for (int width = 6; width < 18; width++) {
          assertThat(pick(model, new long[] {2, width}, 4)).contains(40, 41);
        }
      } finally {
        compiling.set(false);
      }
      for (Future<Integer> caller : callers) {
        assertThat(caller.get()).isPositive();
      }
    }
  }

  private static int ask(Model model, long[] shape, AtomicBoolean until) {
    int requests = 0;
    while (until.get() || requests == 0) {
      int row = requests++ % 5;
      assertThat(pick(model, shape, row)).containsOnly(10 * row, 10 * row + 1);
    }
    return requests;
  }

  private static SpecialisationStatistics figures(Model model) {
    return model.specialisations().orElseThrow();
  }

  @Test
  void theShapesOfAModelShareItsWeights() {
    Engine open = open(16L << 20);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    pick(model, SHAPES[0], 0);
    long bytes = model.reservedBytes();
    assertThat(bytes).isPositive();
    pick(model, SHAPES[1], 1);
    pick(model, SHAPES[2], 2);
    assertThat(figures(model).kept()).isEqualTo(3);
    assertThat(model.reservedBytes()).isEqualTo(bytes);
    assertThat(open.pool().statistics().usedBytes()).isEqualTo(bytes);
    Model twin = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThat(pick(twin, SHAPES[0], 3)).contains(30, 31);
    assertThat(open.pool().statistics().usedBytes()).isEqualTo(bytes);
    model.close();
    assertThat(pick(twin, SHAPES[0], 4)).contains(40, 41);
    twin.close();
    assertThat(open.pool().statistics().usedBytes()).isZero();
  }

  @Test
  void theShapeThatWasUsedLongestAgoMakesRoomAndGivesItsBytesBack() {
    Engine open = open(16L << 20);
    Model model = open.load(shifted(), LoadOptions.defaults().withMaxSpecialisations(2));
    for (int width : new int[] {3, 4, 3}) {
      shift(model, width);
    }
    long two = open.pool().statistics().usedBytes();
    long builds = open.driverCalls().builds();
    shift(model, 5);
    assertThat(figures(model).kept()).isEqualTo(2);
    assertThat(figures(model).most()).isEqualTo(2);
    assertThat(figures(model).compiled()).isEqualTo(3);
    assertThat(figures(model).evicted()).isEqualTo(1);
    assertThat(figures(model).compileNanos()).isPositive();
    assertThat(open.pool().statistics().usedBytes()).isEqualTo(two);
    shift(model, 3);
    assertThat(figures(model).compiled()).as("3 was used after 4").isEqualTo(3);
    shift(model, 4);
    assertThat(figures(model).compiled()).isEqualTo(4);
    assertThat(open.driverCalls().builds()).isGreaterThanOrEqualTo(builds);
  }

  /* Adds 0, 1, 2, … to each row of `x`: a constant for each width. */
  private static OnnxModel shifted() {
    return TestModel.opset(17)
        .floats("x", "A,B")
        .constant("zero", List.of(), 0)
        .constant("one", List.of(), 1)
        .constant("last", List.of(1L), 1)
        .node("Shape", "x", "s")
        .node("Gather", "s last", "w")
        .constant("axis", 0)
        .node("Squeeze", "w axis", "width")
        .node("Range", "zero width one", "r")
        .node("Cast", "r", "f", "to=1")
        .node("Add", "x f", "y")
        .output("y")
        .read();
  }

  private static void shift(Model model, int width) {
    float[] expected = new float[width];
    for (int i = 0; i < width; i++) {
      expected[i] = i;
    }
    assertThat(
            model.<float[]>infer(
                zeros(1, width),
                outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)))
        .containsExactly(expected);
  }

  @Test
  @Timeout(60)
  void aShapeIsCompiledOnceForAllWhoBringIt() throws Exception {
    Model model = open(16L << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<float[]>> all =
          IntStream.range(0, 8)
              .mapToObj(_ ->
                  threads.submit(() -> {
                    start.await();
                    return pick(model, new long[] {2, 9}, 4);
                  }))
              .toList();
      start.countDown();
      for (Future<float[]> each : all) {
        assertThat(each.get()).hasSize(36).contains(40, 41);
      }
    }
    assertThat(figures(model).compiled()).isEqualTo(1);
  }

  @Test
  void aPreparedShapeIsThereWhenItsRequestComes() {
    Engine open = open(16L << 20);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    model.prepare(Map.of("A", 2L, "B", 7L));
    long builds = open.driverCalls().builds();
    assertThat(pick(model, new long[] {2, 7}, 1)).contains(10, 11);
    assertThat(figures(model).compiled()).isEqualTo(1);
    assertThat(open.driverCalls().builds()).isEqualTo(builds);
    assertThatThrownBy(() -> model.prepare(Map.of("A", 0L, "B", 7L)))
        .hasMessageContaining("is to be compiled for a batch of 0: it is 1 or more");
    assertThatThrownBy(() -> model.prepare(Map.of("A", 2L)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("input 'i'")
        .hasMessageContaining("give the size of B");
    assertThatThrownBy(() -> model.prepare(Map.of("B", 2L, "C", 2L)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("no open dimension [C]; it has [B] and the batch A");
  }

  @Test
  void aModelThatWasNotPlannedYetSaysSoAndThenShowsThePlanOfTheBatch() {
    Model model = open(16L << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> model.plan(1))
        .isInstanceOf(NotPlannedException.class)
        .hasMessageContaining("no request came yet");
    pick(model, new long[] {4, 3}, 0);
    assertThat(model.plan(4).json()).contains("\"batch\":4");
    assertThat(model.plan(1).json()).contains("\"batch\":1");
  }

  @Test
  void aWriterGetsMemoryThatIsAlignedForItsElements() {
    Model model = open(16L << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    long[] indices = {1, 1, 1};
    InferenceRequest request =
        new InferenceRequest(
            List.of(new long[] {1, 3}),
            (_, staging) ->
                MemorySegment.copy(indices, 0, staging, ValueLayout.JAVA_LONG, 0, indices.length));
    assertThat(
            model.<float[]>infer(
                request,
                outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)))
        .containsExactly(10, 11, 10, 11, 10, 11);
  }

  @Test
  void whatARequestsValuesBreakIsTheRequestsFault() {
    Model model =
        open(1 << 20)
            .load(
                TestModel.opset(17)
                    .longs("k", "2")
                    .node("ConstantOfShape", "k", "y")
                    .output("y")
                    .read(),
                LoadOptions.defaults());
    for (long size : new long[] {1L << 16, Long.MAX_VALUE}) {
      InferenceRequest request =
          SharedEngine.request(SharedEngine.longs(new long[] {2}, size, size));
      assertThatThrownBy(() -> model.infer(request, _ -> true))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("k=[" + size + "," + size + "]");
    }
  }

  @Test
  void aLoadThatNeedsHeldBytesGetsThem() {
    Engine open = open(380_000);
    Model picking = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    pick(picking, new long[] {64, 256}, 3);
    assertThat(open.pool().statistics().heldBytes()).isGreaterThan(250_000);
    Model doubling = open.load(TinyModels.doubling(), LoadOptions.defaults().withMaxBatch(1024));
    assertThat(open.pool().statistics().events().evictions()).isPositive();
    assertThat(TinyModels.doubled(doubling, 1, 4)).containsOnly(8);
  }

  @Test
  void aRequestThatThePoolCannotHoldIsRefusedWithTheFigures() {
    Engine open = open(100_000);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> pick(model, new long[] {64, 256}, 0))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("[64, 256]")
        .hasMessageContaining("'picking'");
    assertThat(pick(model, new long[] {1, 1}, 4)).containsExactly(40, 41);
  }

  @Test
  void aBadIndexFailsItsRowAndTheNextRequestIsClean() {
    Model model = open(1 << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {1, 3}, 0, 9, 1))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage(
            "node 'pick' (Gather): index 9 is outside [-5, 4] on axis 0, at row 0, position 1");
    assertThat(TinyModels.picked(model, new long[] {1, 3}, 0, 1, 2))
        .containsExactly(0, 1, 10, 11, 20, 21);
  }

  @Test
  void aShapeOfAnotherRankIsTurnedAway() {
    Model model = open(1 << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {3}, 0, 1, 2))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("unexpected shape for input 'i' for model 'picking'");
  }

  /// `m − n` fives, and a row `x · i` of each iteration of as many.
  private static OnnxModel sized() {
    LoopModels body =
        graph()
            .inputs("i go")
            .node("more = Identity go")
            .node("f = Cast i", attribute("to", 1))
            .node("r = Mul x f")
            .outputs("more r");
    return graph()
        .input("n", DataType.INT64, "1")
        .input("m", DataType.INT64, "1")
        .input("x", DataType.FLOAT, "2")
        .floats("five", new long[0], 5)
        .node("d = Sub m n")
        .node("t = Squeeze d")
        .node("s = Expand five d")
        .node("rows = Loop t -", attribute("body", body))
        .outputs("s rows")
        .model("sized");
  }

  private static List<float[]> sized(Model model, long n, long m) {
    List<Object> values = List.of(new long[] {n}, new long[] {m}, new float[] {1, 10});
    List<long[]> shapes = List.of(new long[] {1}, new long[] {1}, new long[] {2});
    InferenceRequest request =
        new InferenceRequest(
            shapes,
            (i, staging) ->
                staging.copyFrom(
                    values.get(i) instanceof long[] whole
                        ? MemorySegment.ofArray(whole)
                        : MemorySegment.ofArray((float[]) values.get(i))));
    return model.infer(
        request,
        outputs ->
            outputs.stream().map(o -> o.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)).toList());
  }

  @Test
  void sizesFollowFromTheValuesOfSmallInputs() {
    Engine open = open(16L << 20);
    Model model = open.load(sized(), LoadOptions.defaults());
    for (int count = 0; count < 4; count++) {
      List<float[]> outputs = sized(model, 3, 3 + count);
      float[] fives = new float[count];
      Arrays.fill(fives, 5);
      assertThat(outputs.getFirst()).containsExactly(fives);
      assertThat(outputs.getLast())
          .containsExactly(Arrays.copyOf(new float[] {0, 0, 1, 10, 2, 20}, 2 * count));
    }
    long builds = open.driverCalls().builds();
    assertThat(sized(model, 3, 5).getLast()).containsExactly(0, 0, 1, 10);
    assertThat(open.driverCalls().builds()).isEqualTo(builds);
  }

  @Test
  void aNegativeSizeFailsItsRequestAlone() {
    Model model = open(16L << 20).load(sized(), LoadOptions.defaults());
    assertThat(sized(model, 1, 2).getFirst()).containsExactly(5);
    RequestFailedException e =
        catchThrowableOfType(RequestFailedException.class, () -> sized(model, 5, 2));
    assertThat(e).hasMessage("node 's_Expand' (Expand): negative size -3 on axis 0");
    assertThat(e.failures())
        .containsExactly(
            new FailureReport(
                "s_Expand",
                "Expand",
                0,
                -3L,
                0,
                Long.MAX_VALUE,
                0,
                0,
                null,
                null,
                "negative_size"));
    assertThat(sized(model, 1, 2).getFirst()).containsExactly(5);
  }

  /// The batch stays open: requests of two batch sizes up to one power of two share all but rows.
  @Test
  void failuresBelongToRowsWhateverTheOtherSizesAre() {
    Model model = open(1 << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThat(model.hasBatch()).isTrue();
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {3, 2}, 0, 4, 1, 1, -6, 9))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage(
            "node 'pick' (Gather): index -6 is outside [-5, 4] on axis 0, at row 2, position 4");
    long builds = requireNonNull(engine).driverCalls().builds();
    assertThat(TinyModels.picked(model, new long[] {4, 2}, 0, 1, 2, 3, 4, 0, 1, 2))
        .startsWith(0, 1, 10, 11)
        .hasSize(16);
    assertThat(requireNonNull(engine).driverCalls().builds()).isEqualTo(builds);
  }

  private static InferenceRequest zeros(long... shape) {
    return new InferenceRequest(List.of(shape), (_, staging) -> staging.fill((byte) 0));
  }

  /// A shape that is no multiple of the batch can be had for one batch size at a time.
  @Test
  void aSizeThatIsNoMultipleOfTheBatchFixesIt() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "A,B")
            .node("Shape", "x", "s")
            .node("Tile", "x s", "y")
            .output("y");
    Model model = open(1 << 20).load(text.read(), LoadOptions.defaults());
    for (int rows : new int[] {3, 2, 0}) {
      long bytes = model.infer(zeros(rows, 2), outputs -> outputs.getFirst().data().byteSize());
      assertThat(bytes).isEqualTo(rows * rows * 2 * 2 * 4);
    }
    assertThat(model.hasBatch()).isFalse();
  }

  /// A bad index ahead of a size that is negative is told first, one behind it not at all.
  @Test
  void aNegativeSizeHidesNoFailureAheadOfIt() {
    TestModel ahead = picking().node("ConstantOfShape", "k", "z").output("y").output("z");
    String index =
        "node 'make y' (Gather): index 9 is outside [-5, 4] on axis 0, at row 1, position 3";
    Model model = open(1 << 20).load(ahead.read(), LoadOptions.defaults());
    assertThat(failures(model, -1, 0, 4, -5, 9)).containsExactly(index, size("z"));
    assertThat(failures(model, -1, 7, 0, 8, 9))
        .containsExactly(
            "node 'make y' (Gather): index 7 is outside [-5, 4] on axis 0, at row 0, position 0",
            "node 'make y' (Gather): index 8 is outside [-5, 4] on axis 0, at row 1, position 2",
            size("z"));
    assertThat(failures(model, -1, 0, 0, 0, 0)).containsExactly(size("z"));
    assertThat(failures(model, 2, 0, 4, -5, 9)).containsExactly(index);
  }

  @Test
  void aFailureBehindANegativeSizeOrOnNoWayToAnOutputIsNotTold() {
    TestModel behind =
        TestModel.opset(17)
            .longs("i", "N,2")
            .longs("k", "1")
            .node("ConstantOfShape", "k", "z")
            .reals("table", 5, 3)
            .node("Gather", "table i", "y")
            .output("y")
            .output("z");
    Model model = open(1 << 20).load(behind.read(), LoadOptions.defaults());
    assertThat(failures(model, -1, 0, 4, -5, 9)).containsExactly(size("z"));
    TestModel nowhere = picking().node("ConstantOfShape", "k", "z").output("z");
    try (Model other = engine().load(nowhere.read(), LoadOptions.defaults())) {
      assertThat(failures(other, -1, 0, 4, -5, 9)).containsExactly(size("z"));
    }
  }

  private Engine engine() {
    return requireNonNull(engine);
  }

  private static String size(String value) {
    return "node 'make %s' (ConstantOfShape): negative size -1 on axis 0".formatted(value);
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,2")
        .longs("k", "1")
        .reals("table", 5, 3)
        .node("Gather", "table i", "y");
  }

  private static List<String> failures(Model model, long size, long... indices) {
    long[] rows = {indices.length / 2, 2};
    InferenceRequest request =
        SharedEngine.request(
            SharedEngine.longs(rows, indices), SharedEngine.longs(new long[] {1}, size));
    RequestFailedException e =
        catchThrowableOfType(RequestFailedException.class, () -> model.infer(request, _ -> true));
    return e.failures().stream().map(FailureReport::message).toList();
  }
}
