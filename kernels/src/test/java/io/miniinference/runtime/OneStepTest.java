package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.device.TestCache;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Small networks on an engine that writes kernels for GPUs: which are one step, and what that
/// leaves of their arenas.
@Tag("opencl")
final class OneStepTest {
  private static Engine engine(boolean rows) {
    var options =
        new EngineOptions(SharedEngine.POOL_BYTES, "opencl", null, null, "gpu", TestCache.FOLDER);
    return Engines.open(options.withPlanning(Planning.defaults().withRows(rows)), device -> device);
  }

  private static TestModel network(String dims) {
    return TestModel.opset(17)
        .floats("x", dims)
        .reals("w", 8, 1, 5, 5)
        .node("Conv", "x w", "c", "kernel_shape=5,5", "pads=2,2,2,2")
        .node("Relu", "c", "r")
        .node("MaxPool", "r", "p", "kernel_shape=2,2", "strides=2,2")
        .node("Softmax", "p", "y", "axis=1")
        .output("y");
  }

  private static Model load(Engine engine, TestModel model) {
    return engine.load(model.read(), LoadOptions.defaults().withMaxBatch(4).withInstances(1));
  }

  private static float[] answers(Model model) {
    return SharedEngine.reals(model, SharedEngine.counted(ElementType.F32, 3, 1, 12, 12));
  }

  @Test
  void aSmallNetworkIsOneStepUnlessStepsAreWanted() {
    try (Engine one = engine(true);
        Engine each = engine(false);
        Model whole = load(one, network("N,1,12,12"));
        Model steps = load(each, network("N,1,12,12"))) {
      assertThat(whole.plan(4).costs()).hasSize(1);
      assertThat(whole.plan(4).costs().getFirst().algorithm().name())
          .startsWith("2 stages in one launch, a row in ");
      assertThat(steps.plan(4).costs()).hasSizeGreaterThan(1);
      assertThat(whole.reservedBytes()).isLessThan(steps.reservedBytes());
      float[] expected = answers(steps);
      float[] given = answers(whole);
      for (int i = 0; i < expected.length; i++) {
        assertThat(given[i]).as("element %d", i).isCloseTo(expected[i], within(1e-6f));
      }
    }
  }

  /// Its shapes share kernels.
  @Test
  void aNetworkWithOpenSizesKeepsItsSteps() {
    try (Engine engine = engine(true);
        Model model = load(engine, network("N,1,height,12"))) {
      for (int height : new int[] {12, 16, 20}) {
        Tensor x = SharedEngine.counted(ElementType.F32, 2, 1, height, 12);
        assertThat(SharedEngine.reals(model, x)).hasSize(2 * 8 * height / 2 * 6);
      }
    }
  }
}
