package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a model with open sizes does ahead of its first request.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class WarmUpTest extends EnginePerTest {
  @Test
  void requestsThatFollowBuildNothing() {
    Model model = load(TinyModels.picking("A", "B"));
    PoolStatistics before = engine().pool().statistics();
    long builds = engine().driverCalls().builds();

    assertThat(model.warmUp(3)).isEqualTo(3);

    assertThat(engine().pool().statistics()).isEqualTo(before);
    long warm = engine().driverCalls().builds();
    assertThat(warm > builds).isEqualTo(tested.isOpenCl());
    for (int width : new int[] {1, 3, 32, 48, 700}) {
      assertPicks(model, width);
    }
    if (tested.isOpenCl()) {
      assertThat(engine().driverCalls().builds()).isEqualTo(warm);
    }
  }

  @Test
  void sizesThatMayNotBeAskedForAreNotPlanned() {
    Model model =
        engine()
            .load(
                TinyModels.picking("A", "B"),
                LoadOptions.defaults().withMaxBatch(4).withBounds(Map.of("B", 41L)));
    assertThat(model.warmUp(8)).isEqualTo(2); // 32 and 40
  }

  @Test
  void oneSizeMayBeTheSumOfOthers() {
    OnnxModel decoder = decoder("P", "F", "T");
    assertThat(load(decoder).warmUp(4)).isEqualTo(4);
  }

  @Test
  void namesSayHowSizesFollowFromOthers() {
    Model decoder = load(decoder("past", "1", "past + 1"));
    assertThat(decoder.warmUp(2)).isEqualTo(2);
    assertThat(planned(decoder, 9, 4)).isEqualTo(4);
  }

  private static OnnxModel decoder(String kept, String fresh, String mask) {
    return graph()
        .input("kept", DataType.FLOAT, "2", kept)
        .input("fresh", DataType.FLOAT, "2", fresh)
        .input("mask", DataType.FLOAT, "2", mask)
        .node("all = Concat kept fresh", LoopModels.attribute("axis", 1))
        .node("y = Add all mask")
        .outputs("y")
        .model("decoder");
  }

  @Test
  void eachSizeIsPlannedOnceAheadOfItsRequests() {
    Model model = load(TinyModels.picking("A", "B"));
    model.warmUp(1); // 32
    PoolStatistics before = engine().pool().statistics();
    long builds = engine().driverCalls().builds();

    assertThat(planned(model, 40, 33)).isEqualTo(32);
    assertThat(model.planAhead(34)).isTrue();

    assertThat(engine().pool().statistics()).isEqualTo(before);
    for (int width = 1; width < 36; width++) {
      assertPicks(model, width);
    }
    if (tested.isOpenCl()) {
      assertThat(engine().driverCalls().builds()).isEqualTo(builds);
    }
  }

  @Test
  void sizesAreNotPlannedBeyondTheirBoundNorOfAModelThatIsClosed() {
    Model model =
        engine()
            .load(
                TinyModels.picking("A", "B"),
                LoadOptions.defaults().withMaxBatch(4).withBounds(Map.of("B", 3L)));
    assertThat(planned(model, 9, 9)).isLessThan(4);
    Model closed = load(TinyModels.picking("A", "B"));
    closed.close();
    closed.planAhead(9);
    assertThat(closed.planAhead(9)).isFalse();
  }

  @Test
  void aModelOfSeveralSizesIsNotPlannedForEach() {
    assertThat(load(TinyModels.picking("A", "B", "C")).planAhead(9)).isFalse();
  }

  @Test
  void aDecoderIsPlannedForATokenBehindEachPast() {
    OnnxModel decoder = decoder("past_length", "length", "total_length");
    Model model = load(decoder);
    assertThat(model.warmUp(2)).isEqualTo(2); // with a past and without
    assertThat(planned(model, 9, 6)).isEqualTo(6);
  }

  @Test
  void sizesThatGrowArePlannedAheadOfTheNext() throws InterruptedException {
    Model model = load(TinyModels.picking("A", "B"));
    assertPicks(model, 1);
    assertPicks(model, 2);
    assertPicks(model, 3);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (isPlanningNext() && System.nanoTime() - end < 0) {
      Thread.sleep(20);
    }

    assertThat(planned(model, 9, 5)).isZero();

    for (int width = 4; width < 30; width++) {
      assertPicks(model, width);
    }
  }

  private static boolean isPlanningNext() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(it -> it.getName().equals("planning next sizes"));
  }

  @Test
  void sizesThatAModelDoesNotTakeAreFew() {
    OnnxModel wide =
        graph()
            .input("x", DataType.FLOAT, "2", "L")
            .input("forty", DataType.FLOAT, "2", "40")
            .node("all = Concat x x", LoopModels.attribute("axis", 1))
            .node("y = Add all forty")
            .outputs("y")
            .model("wide");
    Model model = load(wide);
    assertThat(planned(model, 40, 64)).isEqualTo(8);
  }

  @Test
  void aModelWhoseSizesFollowFromValuesIsLeftToItsRequests() {
    OnnxModel filling =
        graph()
            .input("k", DataType.INT64, "N")
            .node("y = ConstantOfShape k")
            .outputs("y")
            .model("filling");
    assertThat(load(filling).warmUp(4)).isZero();
  }

  @Test
  void aModelThatIsClosedIsNotPlanned() {
    Model model = load(TinyModels.picking("A", "B"));
    model.close();
    assertThat(model.warmUp(4)).isZero();
  }

  private static void assertPicks(Model model, int width) {
    assertThat(TinyModels.picked(model, new long[] {2, width}, new long[2 * width]))
        .hasSize(4 * width)
        .containsOnly(0, 1);
  }

  /* Of so many tries. */
  private static long planned(Model model, int tries, int most) {
    return IntStream.range(0, tries).filter(_ -> model.planAhead(most)).count();
  }

  private Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults());
  }
}
