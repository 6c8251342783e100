package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.SpecialisationStatistics;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Networks whose open sizes are bounded, in a pool that others have filled: every request within
/// the bounds is served, those beyond are refused with the figures, and an unload gives all back.
@OnEachDevice(optimised = false)
@Tag("data")
final class PromisedRoomTest {
  private static final long POOL = 128L << 20;

  @Parameter TestedDevice tested;

  static Stream<OpenNetwork> networks() {
    return Stream.of(
        OpenNetwork.ENCODER,
        OpenNetwork.RUNNING_SUM,
        OpenNetwork.IMAGES,
        OpenNetwork.BERT,
        OpenNetwork.DECODER);
  }

  /* One whose shapes have weights of their own, and one with two open sizes. */
  static Stream<OpenNetwork> two() {
    return Stream.of(OpenNetwork.ENCODER, OpenNetwork.IMAGES);
  }

  private Engine open(long poolBytes) {
    return Engines.open(
        new EngineOptions(
            poolBytes, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  private static int batch(OpenNetwork network) {
    return network.most().get("batch");
  }

  private static Map<String, Long> bounds(OpenNetwork network) {
    Map<String, Long> bounds = new TreeMap<>(largest(network));
    bounds.remove("batch");
    return bounds;
  }

  private static Map<String, Long> largest(OpenNetwork network) {
    Map<String, Long> largest = new TreeMap<>();
    network.most().forEach((symbol, size) -> largest.put(symbol, (long) size));
    return largest;
  }

  private static PreparedModel prepare(Engine engine, OpenNetwork network) {
    LoadOptions options =
        LoadOptions.defaults().withMaxBatch(batch(network)).withBounds(bounds(network));
    return engine.prepare(network.read(), options);
  }

  /* All that is free or held, in whatever pieces, as the models of others would take it. */
  private static void fill(MemoryPool pool) {
    for (long bytes = POOL; bytes >= 256; bytes /= 2) {
      while (pool.allocate(bytes, "another model") instanceof Allocation) {
        /* all of that size */
      }
    }
    assertThat(pool.statistics().usedBytes()).isEqualTo(pool.capacity());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void whateverOthersTakeARequestWithinTheBoundsIsServed(OpenNetwork network) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine engine = open(POOL);
        Engine roomy = OpenSizesTest.open(TestedDevice.JVM)) {
      PreparedModel prepared = prepare(engine, network);
      long needed = prepared.bytes(batch(network));
      Model model = prepared.load(batch(network));
      Model reference = roomy.load(network.read(), LoadOptions.defaults());
      long builds = engine.driverCalls().builds();
      fill(engine.pool());

      for (int i = 0; i < OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = i == 0 ? largest(network) : network.sizes(random);
        OpenSizesTest.assertClose(
            network.ask(model, sizes), network.ask(reference, sizes), sizes + ", seed " + seed);
      }
      OpenSizesTest.assertClose(
          network.ask(model, network.smallest()),
          network.ask(reference, network.smallest()),
          "smallest");

      if (tested.isOpenCl()) {
        assertThat(engine.driverCalls().builds()).isEqualTo(builds);
      }
      assertThat(needed).isLessThanOrEqualTo(model.reservedBytes());
    }
  }

  /// A shorter text may go two rows at a time where the longest goes one at a time.
  @Test
  void theArenaOfNoSmallerShapeIsLarger() {
    OpenNetwork network = OpenNetwork.RUNNING_SUM;
    try (Engine engine = open(POOL)) {
      Model model = prepare(engine, network).load(batch(network));
      fill(engine.pool());
      long longest = largest(network).get("sequence");
      for (long length = longest; length > 0; length--) {
        Map<String, Long> sizes = new TreeMap<>(largest(network));
        sizes.put("sequence", length);
        assertThat(network.ask(model, sizes)).as("length %d", length).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void aPoolOfWhatAPlanSaysHoldsTheModelAndALessOneDoesNot(OpenNetwork network) {
    int batch = batch(network);
    long needed;
    long largest;
    try (Engine engine = open(POOL)) {
      PreparedModel prepared = prepare(engine, network);
      needed = prepared.bytes(batch);
      largest = prepared.bytes(1);
      assertThat(prepared.promisedSizes()).isEqualTo(bounds(network));
      assertThat(prepared.isSizedByRequests()).isFalse();
      assertThat(prepared.largestBatch()).isEqualTo(batch);
      assertThat(prepared.plan(batch, batch).json())
          .contains("\"batch\":" + batch + ",", "\"reservedBytes\":" + needed + ",");
    }
    try (Engine engine = open(needed)) {
      Model model = prepare(engine, network).load(batch);
      assertThat(network.ask(model, largest(network))).isNotEmpty();
      assertThat(network.ask(model, network.middle())).isNotEmpty();
      model.close();
      PoolStatistics after = engine.pool().statistics();
      assertThat(after.usedBytes()).isZero();
      assertThat(after.heldBytes()).isZero();
    }
    try (Engine engine = open(needed - 256)) {
      PreparedModel prepared = prepare(engine, network);
      assertThatThrownBy(() -> prepared.load(batch))
          .isInstanceOf(LoadRefusedException.class)
          .hasMessageContaining("%,d bytes", needed)
          .hasMessageContaining("%,d free", needed - 256)
          .hasMessageContaining("in one piece")
          .hasMessageContaining("engine.pool.capacity")
          .hasMessageContaining("engine.models.settings." + network.name() + ".bounds");
      assertThat(engine.pool().statistics().usedBytes()).isZero();
      assertThat(largest).isLessThan(needed);
      assertThat(network.ask(prepared.load(1), network.smallest())).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("two")
  @Timeout(300)
  void requestsOfManyShapesAtOnceTakeTheRoomInTurns(OpenNetwork network) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine engine = open(POOL);
        Engine roomy = OpenSizesTest.open(TestedDevice.JVM);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Model model = prepare(engine, network).load(batch(network));
      Model reference = roomy.load(network.read(), LoadOptions.defaults());
      fill(engine.pool());
      List<Future<List<float[]>>> answers = new ArrayList<>();
      List<Map<String, Long>> asked = new ArrayList<>();
      for (int i = 0; i < 2 * OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = network.sizes(random);
        asked.add(sizes);
        answers.add(threads.submit(() -> network.ask(model, sizes)));
      }
      for (int i = 0; i < asked.size(); i++) {
        OpenSizesTest.assertClose(
            answers.get(i).get(),
            network.ask(reference, asked.get(i)),
            asked.get(i) + ", seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("two")
  void beyondTheRoomHeldBlocksAreTakenAndThenRequestsAreRefusedWithTheFigures(OpenNetwork network) {
    int batch = batch(network);
    try (Engine engine = open(POOL)) {
      Model model = prepare(engine, network).load(1);
      SpecialisationStatistics.Promise promise =
          model.specialisations().orElseThrow().promise().orElseThrow();
      assertThat(promise.largest()).isEqualTo(new RequestShape(1, bounds(network)));
      assertThat(model.reservedBatch()).isEqualTo(1);
      assertThat(engine.pool().statistics().usedBytes()).isEqualTo(model.reservedBytes());

      network.ask(model, largest(network));
      assertThat(engine.pool().statistics().heldBytes()).isPositive();

      fill(engine.pool()); // held blocks give way
      Map<String, Long> one = new TreeMap<>(largest(network));
      one.put("batch", 1L);
      assertThat(network.ask(model, one)).isNotEmpty();
      assertThatThrownBy(() -> network.ask(model, largest(network)))
          .isInstanceOf(LoadRefusedException.class)
          .hasMessageContaining("needs memory that the pool does not have")
          .hasMessageContaining("engine.pool.capacity")
          .hasMessageContaining(
              "engine.models.settings.%s.bounds keeps room for batches up to 1 of %s",
              network.name(), RequestShape.text(bounds(network)));
      assertThat(network.ask(model, one)).isNotEmpty();
      assertThat(batch).isGreaterThan(1);
    }
  }

  @ParameterizedTest
  @MethodSource("two")
  void aRequestBeyondTheBoundsIsRefusedByName(OpenNetwork network) {
    try (Engine engine = open(POOL)) {
      Model model = prepare(engine, network).load(1);
      String symbol = bounds(network).keySet().iterator().next();
      long most = bounds(network).get(symbol);
      Map<String, Long> sizes = new TreeMap<>(network.smallest());
      sizes.put(symbol, most + network.step().getOrDefault(symbol, 1));
      assertThatThrownBy(() -> network.ask(model, sizes))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("has size " + sizes.get(symbol))
          .hasMessageContaining("takes at most " + most + " of '" + symbol + "'")
          .hasMessageContaining("engine.models.settings." + network.name() + ".bounds." + symbol);
    }
  }

  @Test
  void boundsThatTheModelDoesNotTakeRefuseIt() {
    try (Engine engine = open(POOL)) {
      LoadOptions odd = LoadOptions.defaults().withBounds(Map.of("height", 126L, "width", 128L));
      assertThatThrownBy(() -> engine.prepare(OpenNetwork.IMAGES.read(), odd))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("engine.models.settings.fcn_open.bounds")
          .hasMessageContaining("height=126, width=128: ");
    }
  }

  @Test
  void boundsOfNamesThatTheModelDoesNotHaveRefuseItOpenSizesOrNot() {
    OnnxModel fixed =
        TestModel.opset(17).floats("x", "N,3").node("Sin", "x", "y").output("y").read();
    LoadOptions misspelt = LoadOptions.defaults().withBounds(Map.of("hieght", 128L, "width", 128L));
    try (Engine engine = open(POOL)) {
      assertThatThrownBy(() -> engine.prepare(OpenNetwork.IMAGES.read(), misspelt))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining(
              "engine.models.settings.fcn_open.bounds: hieght is no open dimension of the model,"
                  + " which has [")
          .hasMessageContaining("height, width]");
      assertThatThrownBy(
              () -> engine.prepare(fixed, LoadOptions.defaults().withBounds(Map.of("M", 5L))))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining(".bounds: M is no open dimension of the model, which has [N]");
      assertThatThrownBy(
              () -> engine.prepare(fixed, LoadOptions.defaults().withBounds(Map.of("N", 5L))))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining(
              ".bounds: N is the batch, which max-batch-size bounds: max-batch-size=5");
    }
  }

  @Test
  void aSizeIsNotBoundByLessThanNothing() {
    LoadOptions options = LoadOptions.defaults();
    assertThatThrownBy(() -> options.withBounds(Map.of("width", -1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bounds give width a largest size of -1, not of 0 or more");
  }

  @Test
  void withoutABoundForEachSizeOrWhereValuesDecideNoRoomIsTaken() {
    try (Engine engine = open(POOL)) {
      LoadOptions some = LoadOptions.defaults().withBounds(Map.of("height", 64L));
      Model images = engine.load(OpenNetwork.IMAGES.read(), some);
      assertThat(images.reservedBytes()).isZero();
      assertThat(images.specialisations().orElseThrow().promise()).isEmpty();
      OnnxModel tiled =
          TestModel.opset(17)
              .floats("x", "N,M")
              .longs("counts", "2")
              .node("Tile", "x counts", "y")
              .output("y")
              .read();
      PreparedModel valued =
          engine.prepare(tiled, LoadOptions.defaults().withBounds(Map.of("M", 5L)));
      assertThat(valued.isSizedByRequests()).isTrue();
      assertThat(valued.load(1).reservedBytes()).isZero();
    }
  }
}
