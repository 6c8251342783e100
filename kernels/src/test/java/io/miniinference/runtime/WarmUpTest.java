package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.Map;
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
      assertThat(TinyModels.picked(model, new long[] {2, width}, new long[2 * width]))
          .hasSize(4 * width)
          .containsOnly(0, 1);
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
    OnnxModel decoder =
        graph()
            .input("kept", DataType.FLOAT, "2", "P")
            .input("fresh", DataType.FLOAT, "2", "F")
            .input("mask", DataType.FLOAT, "2", "T")
            .node("all = Concat kept fresh", LoopModels.attribute("axis", 1))
            .node("y = Add all mask")
            .outputs("y")
            .model("decoder");
    assertThat(load(decoder).warmUp(4)).isEqualTo(4);
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

  private Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults());
  }
}
