package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.TestCache;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A request of open sizes goes through all steps in one launch, which workers share, as one to a
/// model of fixed sizes does.
@OnEachDevice(TestedDevice.CPU)
@Tag("data")
@Tag("opencl")
final class OpenSharedTest {
  private static final int SHAPES = 3;
  private static final int RUNS = 20;
  private static final int LENGTH = 12;
  private static final long SEED = Long.getLong("mie.seed", 20261126);

  /// Less than an arena takes.
  private static final long LEFT_BYTES = 4 << 10;

  @Parameter TestedDevice tested;

  @ParameterizedTest
  @MethodSource("io.miniinference.opensizes.OpenRowsTest#networks")
  void aRequestIsNoMoreThanOneLaunchForEachWorker(OpenNetwork network) {
    Random random = new Random(SEED);
    try (Engine engine = OpenSizesTest.open(tested)) {
      Model model = engine.load(network.read(), LoadOptions.defaults());
      for (int i = 0; i < SHAPES; i++) {
        Map<String, Long> sizes = new HashMap<>(network.sizes(random));
        sizes.put("batch", 1L);
        List<float[]> first = network.ask(model, sizes);
        long before = engine.driverCalls().launches();
        OpenSizesTest.assertClose(network.ask(model, sizes), first, sizes.toString());
        assertThat(engine.driverCalls().launches() - before)
            .as("%s at %s", network.name(), sizes)
            .isBetween(1L, workers());
      }
    }
  }

  private static long workers() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Test
  void whatFailsIsToldAsOnTheJvmAndTheNextRequestIsAnswered() {
    Map<String, Long> sizes = Map.of("batch", 1L, "sequence", (long) LENGTH);
    try (Engine engine = OpenSizesTest.open(tested);
        Engine jvm = OpenSizesTest.open(TestedDevice.JVM)) {
      Model model = engine.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      Model reference = jvm.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      List<FailureReport> expected = failures(reference);
      assertThat(expected)
          .extracting(FailureReport::index)
          .containsExactly(OpenRowsTest.VOCABULARY);
      List<float[]> answer = OpenNetwork.ENCODER.ask(reference, sizes);
      for (int i = 0; i < RUNS; i++) {
        assertThat(failures(model)).as("run %d", i).isEqualTo(expected);
        OpenSizesTest.assertClose(OpenNetwork.ENCODER.ask(model, sizes), answer, "run " + i);
      }
    }
  }

  /// Where an arena lies, others may have written meanwhile: tables and failure slots are put there
  /// anew.
  @Test
  void aShapeWhoseArenaOthersHadMeanwhileIsAnsweredAsBefore() {
    Map<String, Long> sizes = Map.of("batch", 1L, "sequence", (long) LENGTH);
    EngineOptions small =
        new EngineOptions(
            8L << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER);
    try (Engine engine = Engines.open(small)) {
      Model others = engine.load(negated(), LoadOptions.defaults());
      Model model = engine.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      List<float[]> answer = OpenNetwork.ENCODER.ask(model, sizes);
      List<FailureReport> expected = failures(model);
      for (int i = 0; i < RUNS; i++) {
        writeAllOver(engine.pool().statistics(), others);
        OpenSizesTest.assertClose(OpenNetwork.ENCODER.ask(model, sizes), answer, "run " + i);
        writeAllOver(engine.pool().statistics(), others);
        if (i % 2 == 0) {
          OpenSizesTest.assertClose(OpenNetwork.ENCODER.ask(model, sizes), answer, "again " + i);
        }
        assertThat(failures(model)).as("run %d", i).isEqualTo(expected);
      }
    }
  }

  /// The room that is kept for the largest shape is every shape's.
  @Test
  void shapesThatHaveTheSameRoomInTurnsAreAnsweredAsAlone() {
    LoadOptions bounded = LoadOptions.defaults().withBounds(Map.of("sequence", 64L));
    try (Engine engine = OpenSizesTest.open(tested)) {
      Model alone = engine.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      Model model = engine.load(OpenNetwork.ENCODER.read(), bounded);
      for (int i = 0; i < RUNS; i++) {
        Map<String, Long> sizes = Map.of("batch", 1L + i % 3, "sequence", 20L + 10 * (i % 4));
        List<float[]> answer = OpenNetwork.ENCODER.ask(alone, sizes);
        OpenSizesTest.assertClose(OpenNetwork.ENCODER.ask(model, sizes), answer, "run " + i);
      }
    }
  }

  private static OnnxModel negated() {
    return TestModel.opset(17).floats("x", "1,n").node("Neg", "x", "y").output("y", "1,n").read();
  }

  /* Takes most of the pool, whose held blocks it evicts, and leaves no bit there as it was. */
  private static void writeAllOver(PoolStatistics pool, Model negated) {
    long floats = (pool.freeBytes() + pool.heldBytes() - LEFT_BYTES) / Float.BYTES;
    negated.infer(
        new InferenceRequest(
            List.of(new long[] {1, floats}), (_, staging) -> staging.fill((byte) -1)),
        _ -> true);
    assertThat(negated.specialisations().orElseThrow().kept()).isPositive();
  }

  /* Of a word that is none. */
  private static List<FailureReport> failures(Model model) {
    return OpenRowsTest.failures(model, 1, OpenSharedTest::write);
  }

  private static void write(int input, MemorySegment staging) {
    staging.fill((byte) 0);
    if (input == 0) {
      staging.setAtIndex(ValueLayout.JAVA_LONG, LENGTH - 1, OpenRowsTest.VOCABULARY);
    }
  }
}
