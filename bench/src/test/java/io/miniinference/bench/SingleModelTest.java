package io.miniinference.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.MeasuredDevice;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.bench.measure.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is said of one model.
final class SingleModelTest {
  private static final Parameters ONE = Parameters.of("batch", 1);

  private static Measurement time(String subject, double micros) {
    return new Measurement("net", ONE, subject, Unit.MICROSECONDS, Spread.exact(micros));
  }

  private static Comparison beside(String peer, double ratio) {
    return new Comparison("net", ONE, "engine", peer, new Ratio(ratio, ratio, ratio, 1));
  }

  private static SingleModel model() {
    return new SingleModel(
        new SuiteResult(
            "models",
            "time of a request",
            new MeasuredDevice("OPENCL_GPU", "Some GPU", "its platform", "1.0", 1),
            "batch",
            List.of(time("engine", 30), time("eager", 60), time("graph", 40)),
            List.of(beside("eager", 0.5), beside("graph", 0.75)),
            List.of(),
            List.of()));
  }

  @Test
  void aLineNamesEachPeer() {
    assertThat(model().text())
        .isEqualTo(
            "net, batch 1, on Some GPU: 30.0 µs, 0.500 [0.500–0.500] times that of eager,"
                + " 0.750 [0.750–0.750] times that of graph\n");
  }

  @Test
  void jsonHasARatioForEachPeer() {
    assertThat(model().json())
        .contains("\"microseconds\":30.0,\"timeRatios\":{\"eager\":0.5,\"graph\":0.75}");
  }
}
