package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EntrantTest {
  private static final Entrant NOTHING = Entrant.of("nothing", () -> {});

  @Test
  void whatLiesBetweenRunsIsNotTimed() {
    var slice = new Slice(0, 50, 3, 2_000);
    double[] micros = NOTHING.run(slice);
    assertThat(micros).hasSizeBetween(3, 1000);
    assertThat(Spread.median(micros)).isLessThan(100);
  }

  @Test
  void runsAreTimedUntilThereAreEnough() {
    assertThat(NOTHING.run(new Slice(0, 0, 7))).hasSize(7);
  }
}
