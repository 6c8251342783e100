package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class InProcessTest {
  private static final InProcess NOTHING = new InProcess("nothing", () -> {}, 1);

  @Test
  void whatLiesBetweenRunsIsNotTimed() {
    Duration length = Duration.ofMillis(50);
    var slice = new Slice(Duration.ZERO, length, 3, Duration.ofMillis(2));
    double[] micros = NOTHING.run(slice);
    assertThat(micros).hasSizeBetween(3, 1000);
    assertThat(Spread.median(micros)).isLessThan(100);
  }

  @Test
  void runsAreTimedUntilThereAreEnough() {
    assertThat(NOTHING.run(new Slice(Duration.ZERO, Duration.ZERO, 7))).hasSize(7);
  }
}
