package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The first request to a network with open sizes builds what all later ones need, the smallest
/// ones among them, and each is answered as on the JVM device. From the CPU writer, whose kernels a
/// build makes ready, the driver compiles nothing later either.
@OnEachDevice({TestedDevice.CPU, TestedDevice.GPU})
@Tag("data")
@Tag("opencl")
final class OneBuildTest {
  @Parameter TestedDevice tested;

  /// Of networks of two layers.
  private static final int MOST_KERNELS = 64;

  static Stream<OpenNetwork> networks() {
    return Stream.concat(
        OpenSizesTest.networks(),
        Stream.of(
            OpenNetwork.BERT,
            OpenNetwork.DECODER,
            OpenNetwork.SEGMENTER,
            OpenNetwork.SOUND,
            OpenNetwork.SPECTROGRAM,
            OpenNetwork.SEQUENCE,
            OpenNetwork.LINES,
            OpenNetwork.LEADERS));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void nothingIsBuiltAfterTheFirstRequest(OpenNetwork network) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Engine engine = OpenSizesTest.open(tested);
        Engine jvm = OpenSizesTest.open(TestedDevice.JVM)) {
      Model model = engine.load(network.read(), LoadOptions.defaults());
      Model reference = jvm.load(network.read(), LoadOptions.defaults());
      network.ask(model, network.middle());
      long builds = engine.driverCalls().builds();
      long variants = engine.driverCalls().variants();
      int kernels = model.specialisations().orElseThrow().kernels();
      for (int i = 0; i < OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = sizes(network, i, random);
        String what = sizes + ", seed " + seed;
        OpenSizesTest.assertClose(network.ask(model, sizes), network.ask(reference, sizes), what);
        if (tested == TestedDevice.GPU && network == OpenNetwork.LEADERS) {
          continue; // the tiles of a sort follow from the length of its rows
        }
        assertThat(engine.driverCalls().builds()).as(what).isEqualTo(builds);
        if (tested == TestedDevice.CPU) {
          assertThat(engine.driverCalls().variants()).isEqualTo(variants);
        }
        assertThat(model.specialisations().orElseThrow().kernels())
            .isEqualTo(kernels)
            .isBetween(1, MOST_KERNELS);
      }
    }
  }

  /* Those at the edge first, of which a kernel that is made for them alone takes one. */
  private static Map<String, Long> sizes(OpenNetwork network, int request, Random random) {
    return switch (request) {
      case 0 -> network.smallest();
      case 1 -> network.nextToSmallest();
      default -> network.sizes(random);
    };
  }
}
