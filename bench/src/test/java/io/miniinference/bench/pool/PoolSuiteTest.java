package io.miniinference.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Settings;
import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.bench.measure.Unit;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole suite with tiny slices.
final class PoolSuiteTest {
  @TempDir Path cache;

  @Test
  void withoutOpenClThePoolIsMeasuredAlone() {
    SuiteResult result = run("jvm");

    assertThat(result.device().kind()).isEqualTo("JVM");
    assertThat(result.comparisons()).isEmpty();
    assertThat(result.measurements())
        .filteredOn(figure -> figure.subject().equals("pool"))
        .hasSize(2)
        .allMatch(figure -> figure.spread().median() > 0);
  }

  @Test
  @Tag("opencl")
  void theDriverTakesTurnsWithThePool() {
    SuiteResult result = run("opencl");

    assertThat(result.device().kind()).startsWith("OPENCL_");
    assertThat(result.comparisons())
        .extracting(figure -> figure.parameters().get("live"))
        .containsExactly("10", "10", "100", "100");
    assertThat(result.comparisons())
        .extracting(Comparison::peer)
        .containsOnly("pool", "pool + touch");
    assertThat(result.comparisons()).allMatch(figure -> figure.ratio().pairs() == 3);
  }

  @Test
  @Tag("opencl")
  void buffersThatDoNotFitAreToldNotCounted() {
    SuiteResult result = run("opencl");

    assertThat(result.measurements())
        .filteredOn(figure -> figure.unit() == Unit.LIVE_BUFFERS)
        .extracting(figure -> figure.parameters().get("live") + ": " + figure.spread().median())
        .containsOnly("10: 10.0", "100: 57.0");
  }

  private SuiteResult run(String device) {
    return new Suite("pool", "the pool", PoolSuite::measure)
        .run(Settings.of("--quick", "--device=" + device, "--cache=" + cache), _ -> {})
        .orElseThrow();
  }
}
