package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.Generated;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import io.miniinference.lower.Target;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.MemoryPool;
import io.miniinference.runtime.compile.EngineContext;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.SharedWeights;
import io.miniinference.runtime.open.Engines;
import io.miniinference.runtime.serve.Activity;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// What loading and serving keep to on every device.
@OnEachDevice
final class RuntimeTest {
  @Parameter TestedDevice tested;

  private static final long POOL_BYTES = 64L << 20;

  /// Of a launch, for each worker.
  private static final int MOST_PIECES = 16;

  private Engine engine;

  Engine open(long poolBytes) {
    return Engines.open(
        new EngineOptions(
            poolBytes, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  @BeforeEach
  void openEngine() {
    engine = open(POOL_BYTES);
  }

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  private static float[] all(int rows, float value) {
    float[] all = new float[rows * TinyModels.WIDTH];
    Arrays.fill(all, value);
    return all;
  }

  @Test
  void aRequestIsItsLaunchesAndOneWait() {
    Model model = engine.load(TinyModels.doubling(), LoadOptions.defaults());
    DriverCalls before = engine.driverCalls();
    String map = engine.pool().memoryMap().toString();
    int requests = 100;
    for (int k = 0; k < requests; k++) {
      int rows = 1 + k * 37 % model.maxBatch();
      assertThat(TinyModels.doubled(model, rows, k)).isEqualTo(all(rows, 2 * k));
    }
    DriverCalls after = engine.driverCalls();
    assertThat(after.waits() - before.waits()).isEqualTo(requests);
    assertThat(after.allocations()).isEqualTo(before.allocations());
    assertThat(after.builds()).isEqualTo(before.builds());
    assertThat(after.variants()).isEqualTo(before.variants());
    assertThat(after.launches() - before.launches())
        .isBetween((long) requests, (long) requests * engine.device().workers() * MOST_PIECES);
    assertThat(engine.pool().memoryMap()).hasToString(map);
  }

  @Test
  void manyAtOnceGetTheirOwnAnswers() throws Exception {
    Model model = engine.load(TinyModels.doubling(), LoadOptions.defaults().withMaxBatch(64));
    List<Future<Boolean>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int k = 0; k < 400; k++) {
        int rows = 1 + k * 7 % 64;
        int value = k;
        answers.add(
            threads.submit(
                () -> Arrays.equals(TinyModels.doubled(model, rows, value), all(rows, 2 * value))));
      }
    }
    for (Future<Boolean> answer : answers) {
      assertThat(answer.get()).isTrue();
    }
  }

  @Test
  void anEmptyBatchIsAnsweredEmpty() {
    Model model = engine.load(TinyModels.doubling(), LoadOptions.defaults());
    assertThat(TinyModels.doubled(model, 0, 1)).isEmpty();
    assertThat(TinyModels.doubled(model, 3, 1)).isEqualTo(all(3, 2));
  }

  @Test
  void closingLetsRequestsFinishAndTurnsWaitingOnesAway() throws Exception {
    Model model = engine.load(TinyModels.doubling(), LoadOptions.defaults());
    AtomicInteger answered = new AtomicInteger();
    List<Future<?>> requests = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int k = 0; k < 200; k++) {
        requests.add(
            threads.submit(() -> {
              assertThat(TinyModels.doubled(model, 200, 1)).isEqualTo(all(200, 2));
              if (answered.incrementAndGet() == 20) {
                threads.submit(model::close);
              }
            }));
      }
      for (Future<?> request : requests) {
        refusedOrDone(request);
      }
    }
    model.close();
    assertThat(answered.get()).isGreaterThanOrEqualTo(20);
    assertThat(engine.pool().statistics().usedBytes()).isZero();
    assertThatThrownBy(() -> TinyModels.doubled(model, 1, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  private static void refusedOrDone(Future<?> request) throws InterruptedException {
    try {
      request.get();
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("unloaded");
    }
  }

  @Test
  void aModelWithAnUnknownOperatorLeavesThePoolAsItWas() {
    engine.load(TinyModels.picking("N", "3"), LoadOptions.defaults());
    String before = engine.pool().memoryMap().toString();
    var statistics = engine.pool().statistics();
    assertThatThrownBy(() -> engine.load(TinyModels.unknown(), LoadOptions.defaults()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("Frobnicate");
    assertThat(engine.pool().memoryMap()).hasToString(before);
    assertThat(engine.pool().statistics()).isEqualTo(statistics);
  }

  @Test
  void aModelThatDoesNotFitIsRefusedWithTheFigures() {
    OnnxModel model = TinyModels.doubling();
    long needed = engine.load(model, LoadOptions.defaults()).reservedBytes();
    try (Engine small = open(needed + 512)) {
      small.load(TinyModels.picking("N", "3"), LoadOptions.defaults().withMaxBatch(1));
      String before = small.pool().memoryMap().toString();
      long free = small.pool().statistics().freeBytes();
      assertThatThrownBy(() -> small.load(model, LoadOptions.defaults()))
          .isInstanceOf(LoadRefusedException.class)
          .hasMessageContaining("'doubling' does not fit the pool")
          .hasMessageContaining("it needs %,d bytes".formatted(needed))
          .hasMessageContaining("the pool of %,d has %,d free".formatted(needed + 512, free))
          .hasMessageContaining("engine.pool.capacity");
      assertThat(small.pool().memoryMap()).hasToString(before);
      assertThat(small.pool().statistics().freeBytes()).isEqualTo(free);
      small.pool().validateIntegrity();
    }
  }

  @Test
  void aProgramThatCannotBeBuiltLeavesThePoolAsItWas() {
    Devices devices = new Devices(TestCache.FOLDER);
    Devices.Choice choice = new Devices.Choice(Devices.Kind.of(tested.device()), null, null);
    try (Device device = devices.open(choice)) {
      device.openPool(1 << 20);
      MemoryPool pool = new MemoryPool(1 << 20);
      String before = pool.memoryMap().toString();
      ModelLoader loader =
          new ModelLoader(
              device,
              pool,
              new Broken(),
              EngineContext.of(EngineOptions.defaults(TestCache.FOLDER)),
              new Activity(),
              new SharedWeights(device, pool));
      LoadOptions options = LoadOptions.defaults();
      assertThatThrownBy(() -> loader.load(loader.compile(TinyModels.doubling(), options), options))
          .isInstanceOfAny(DeviceException.class, IllegalArgumentException.class);
      assertThat(pool.memoryMap()).hasToString(before);
      assertThat(pool.statistics().usedBytes()).isZero();
    }
  }

  private record Fixed() implements Strategy {
    @Override
    public Algorithm algorithm(LoweredStep step) {
      return Algorithm.of("none");
    }
  }

  /// A target whose text is no OpenCL C.
  private static final class Broken implements Target<Fixed> {
    @Override
    public boolean fuses(Node merged, Graph graph) {
      return true;
    }

    @Override
    public KernelChoice<Fixed> choose(Node node, List<Operand> inputs, List<Consumer> consumers) {
      return KernelChoice.plain(new Fixed(), inputs.size(), Layout.ROW_MAJOR);
    }

    @Override
    public Layout concatLayout(Node node, List<Operand> inputs, List<Consumer> consumers) {
      return Layout.ROW_MAJOR;
    }

    @Override
    public boolean canWrite(LoweredStep step) {
      return true;
    }

    @Override
    public Generated generate(LoweredProgram program) {
      ProgramCode code = new ProgramCode("broken", "kernel void k( {", "", List.of());
      return new Generated(
          code, List.of(new Launch("k", List.of(), new Launch.Items(Affine.ONE, 1))), List.of(0));
    }
  }

  @Test
  void reservedBytesAreWhatALoadTakesToTheByte() {
    for (LoadOptions options :
        List.of(LoadOptions.defaults(), LoadOptions.defaults().withMaxBatch(1))) {
      OnnxModel model = TinyModels.picking("N", "3");
      Model first = engine.load(model, options);
      long reserved = first.reservedBytes();
      first.close();
      try (Engine exact = open(reserved)) {
        Model loaded = exact.load(model, options);
        assertThat(TinyModels.picked(loaded, new long[] {1, 3}, 4, 0, -1))
            .containsExactly(40, 41, 0, 1, 40, 41);
        assertThat(exact.pool().statistics().freeBytes()).isZero();
      }
      try (Engine less = open(reserved - 256)) {
        assertThatThrownBy(() -> less.load(model, options))
            .isInstanceOf(LoadRefusedException.class);
      }
    }
  }

  @Test
  void aBadIndexFailsItsRequestAndNoOther() {
    Model model = engine.load(TinyModels.picking("N", "3"), LoadOptions.defaults());
    long[] two = {2, 3};
    assertThatThrownBy(() -> TinyModels.picked(model, two, 0, 1, 2, 3, 7, 5))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage(
            "node 'pick' (Gather): index 7 is outside [-5, 4] on axis 0, at row 1, position 4");
    assertThat(TinyModels.picked(model, two, 0, 1, 2, 3, 4, -5))
        .containsExactly(0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 0, 1);
  }

  @Test
  void everyBadRowIsReportedOnceAndInOrder() {
    Model model = engine.load(TinyModels.picking("N", "3"), LoadOptions.defaults());
    long[] indices = new long[300];
    indices[9 * 3 + 2] = -6;
    indices[5 * 3 + 1] = 1L << 32;
    indices[5 * 3 + 2] = 99;
    indices[77 * 3] = Long.MIN_VALUE;
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {100, 3}, indices))
        .isInstanceOfSatisfying(
            RequestFailedException.class,
            e -> {
              assertThat(e.failures()).extracting(FailureReport::row).containsExactly(5, 9, 77);
              assertThat(e.failures())
                  .extracting(FailureReport::index)
                  .containsExactly(1L << 32, -6L, Long.MIN_VALUE);
            })
        .hasMessage(
            "node 'pick' (Gather): index 4294967296 is outside [-5, 4] on axis 0, at row 5,"
                + " position 16; 2 more rows failed: 9, 77");
  }

  @Test
  void batchesOfAllSizesAfterAFailureAreClean() {
    LoadOptions one = new LoadOptions(64, 1, Map.of(), Map.of(), Map.of());
    Model model = engine.load(TinyModels.picking("N", "3"), one);
    for (int rows : new int[] {1, 64, 3, 33, 2, 64, 8}) {
      long[] shape = {rows, 3};
      long[] good = new long[rows * 3];
      Arrays.setAll(good, i -> i % 5);
      long[] bad = good.clone();
      bad[bad.length - 1] = 5;
      assertThatThrownBy(() -> TinyModels.picked(model, shape, bad))
          .hasMessageContaining("at row " + (rows - 1));
      float[] answer = TinyModels.picked(model, shape, good);
      for (int i = 0; i < good.length; i++) {
        assertThat(answer[2 * i]).isEqualTo(good[i] * 10);
      }
    }
  }

  @Test
  void anIndexWithoutBatchFailsTheRun() {
    Model model = engine.load(TinyModels.picking("2", "3"), LoadOptions.defaults());
    long[] shape = {2, 3};
    assertThatThrownBy(() -> TinyModels.picked(model, shape, 0, 1, 2, 3, -9, 5))
        .isInstanceOfSatisfying(
            RequestFailedException.class, e -> assertThat(e.failures().getFirst().row()).isNull())
        .hasMessage("node 'pick' (Gather): index -9 is outside [-5, 4] on axis 0, position 4");
    assertThat(TinyModels.picked(model, shape, 0, 1, 2, 3, 4, 0)).hasSize(12);
  }

  @Test
  void aRequestThatDoesNotFitIsTurnedAway() {
    Model model = engine.load(TinyModels.picking("N", "3"), LoadOptions.defaults().withMaxBatch(4));
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {5, 3}, new long[15]))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("<= 4");
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {2, 4}, new long[8]))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("[-1,3]");
  }

  @Test
  void aWriterThatThrowsGivesTheInstanceBack() {
    LoadOptions one = new LoadOptions(4, 1, Map.of(), Map.of(), Map.of());
    Model model = engine.load(TinyModels.doubling(), one);
    InferenceRequest broken =
        new InferenceRequest(
            List.of(new long[] {1, TinyModels.WIDTH}),
            (_, _) -> {
              throw new IllegalArgumentException("malformed");
            });
    for (int k = 0; k < 3; k++) {
      assertThatThrownBy(() -> model.infer(broken, outputs -> outputs)).hasMessage("malformed");
    }
    assertThat(TinyModels.doubled(model, 4, 3)).isEqualTo(all(4, 6));
  }
}
