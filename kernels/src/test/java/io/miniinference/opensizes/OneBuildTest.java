package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.testing.device.TestedDevice;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Of networks with open sizes whose kernels are the same for all shapes of a range, nothing is
/// built for a further shape.
@Tag("data")
@Tag("opencl")
final class OneBuildTest {
  /// Sequences whose length is no multiple of sixteen, which kernels over vectors tell apart, and
  /// neither so short nor so long that products are computed in another way.
  private static final int SHORTEST = 33;

  /// Networks whose kernels are the same for all sizes.
  static Stream<OpenNetwork> builtOnce() {
    return Stream.of(OpenNetwork.ENCODER, OpenNetwork.RUNNING_SUM);
  }

  @ParameterizedTest
  @MethodSource("builtOnce")
  void nothingIsBuiltForAFurtherShapeOfARange(OpenNetwork network) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine engine = OpenSizesTest.open(TestedDevice.CPU)) {
      Model model = engine.load(network.read(), LoadOptions.defaults());
      network.ask(model, Map.of("batch", 1L, "sequence", (long) SHORTEST));
      long builds = engine.driverCalls().builds();
      long variants = engine.driverCalls().variants();
      for (int i = 0; i < OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = sizes(random);
        network.ask(model, sizes);
        assertThat(engine.driverCalls().builds()).as(sizes + ", seed " + seed).isEqualTo(builds);
        assertThat(engine.driverCalls().variants()).isEqualTo(variants);
      }
    }
  }

  private static Map<String, Long> sizes(Random random) {
    long sequence = 16L * random.nextInt(2, 4) + random.nextInt(1, 16);
    return Map.of("batch", random.nextLong(1, 5), "sequence", sequence);
  }
}
