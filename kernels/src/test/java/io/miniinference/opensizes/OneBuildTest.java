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

/// The first request to a network with open sizes builds what all later ones need, the smallest
/// ones among them.
@Tag("data")
@Tag("opencl")
final class OneBuildTest {
  static Stream<OpenNetwork> networks() {
    return OpenSizesTest.networks();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void nothingIsBuiltAfterTheFirstRequest(OpenNetwork network) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine engine = OpenSizesTest.open(TestedDevice.CPU)) {
      Model model = engine.load(network.read(), LoadOptions.defaults());
      network.ask(model, network.sizes(random));
      long builds = engine.driverCalls().builds();
      long variants = engine.driverCalls().variants();
      for (int i = 0; i < OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = i == 0 ? network.smallest() : network.sizes(random);
        network.ask(model, sizes);
        assertThat(engine.driverCalls().builds()).as(sizes + ", seed " + seed).isEqualTo(builds);
        assertThat(engine.driverCalls().variants()).isEqualTo(variants);
      }
    }
  }
}
