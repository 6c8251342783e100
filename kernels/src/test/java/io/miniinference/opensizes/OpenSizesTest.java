package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.TestCache;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Networks with open dimensions in shapes that nothing was prepared for: their answers are those
/// of the JVM device, which has no kernels in common. Here the smallest shape is the first of all;
/// [OneBuildTest] asks for it, and for more shapes, after one in the middle.
@OnEachDevice({TestedDevice.CPU, TestedDevice.GPU})
@Tag("opencl")
@Tag("data")
final class OpenSizesTest {
  @Parameter TestedDevice tested;

  static final int SHAPES = Integer.getInteger("mie.open.shapes", 4);

  static Stream<OpenNetwork> networks() {
    return Stream.of(OpenNetwork.ENCODER, OpenNetwork.RUNNING_SUM, OpenNetwork.IMAGES);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void eachShapeIsAnsweredAsOnTheJvm(OpenNetwork network) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine opencl = open(tested);
        Engine jvm = open(TestedDevice.JVM)) {
      Model model = opencl.load(network.read(), LoadOptions.defaults());
      Model reference = jvm.load(network.read(), LoadOptions.defaults());
      for (int i = 0; i < SHAPES / 2; i++) {
        Map<String, Long> sizes = i == 0 ? network.smallest() : network.sizes(random);
        assertClose(
            network.ask(model, sizes), network.ask(reference, sizes), sizes + ", seed " + seed);
      }
    }
  }

  static Engine open(TestedDevice tested) {
    return Engines.open(
        new EngineOptions(
            Long.getLong("mie.test.pool", 128L << 20),
            tested.device(),
            null,
            null,
            tested.codegen(),
            TestCache.FOLDER));
  }

  static void assertClose(List<float[]> actual, List<float[]> expected, String what) {
    for (int output = 0; output < expected.size(); output++) {
      float[] wanted = expected.get(output);
      assertThat(actual.get(output)).as(what).hasSameSizeAs(wanted);
      float largest = 0;
      for (float value : wanted) {
        largest = Math.max(largest, Math.abs(value));
      }
      int off = firstOff(actual.get(output), wanted, 1e-4f * largest);
      assertThat(off).as("%s: where output %d is not as expected", what, output).isNegative();
    }
  }

  /* Not with a comparator for each of millions of elements, which takes longer than the networks. */
  private static int firstOff(float[] actual, float[] wanted, float most) {
    for (int i = 0; i < wanted.length; i++) {
      boolean isClose = Math.abs(actual[i] - wanted[i]) <= most;
      if (!isClose && Float.compare(actual[i], wanted[i]) != 0) {
        return i;
      }
    }
    return -1;
  }
}
