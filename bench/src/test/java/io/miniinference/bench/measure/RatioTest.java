package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RatioTest {
  private static final int PAIRS = 15;

  @Test
  void samplesWithoutNoiseHaveARatioWithoutAnInterval() {
    double[] ours = new double[PAIRS];
    double[] theirs = new double[PAIRS];
    Arrays.fill(ours, 3);
    Arrays.fill(theirs, 2);
    assertThat(Ratio.of(ours, theirs)).isEqualTo(new Ratio(1.5, 1.5, 1.5, PAIRS));
  }

  @Test
  void whatDisturbsBothHalvesOfAPairLeavesTheRatioAlone() {
    double[] theirs = {10, 11, 30, 12, 10, 50, 11, 12, 13, 10, 40, 12, 11, 10, 13};
    double[] ours = Arrays.stream(theirs).map(micros -> 0.5 * micros).toArray();
    Ratio ratio = Ratio.of(ours, theirs);
    assertThat(ratio.low()).isEqualTo(0.5, within(1e-12));
    assertThat(ratio.high()).isEqualTo(0.5, within(1e-12));
  }

  @Test
  void theIntervalHoldsTheTrueRatioAboutNineteenTimesInTwenty() {
    long seed = 7;
    var random = new Random(seed);
    int trials = 200;
    int held = 0;
    for (int trial = 0; trial < trials; trial++) {
      double[] ours = new double[PAIRS];
      double[] theirs = new double[PAIRS];
      for (int i = 0; i < PAIRS; i++) {
        ours[i] = 80 * Math.exp(0.05 * random.nextGaussian());
        theirs[i] = 100 * Math.exp(0.05 * random.nextGaussian());
      }
      Ratio ratio = Ratio.of(ours, theirs);
      held += ratio.low() <= 0.8 && 0.8 <= ratio.high() ? 1 : 0;
    }
    assertThat(held).as("of %d with seed %d", trials, seed).isBetween(180, 200);
  }

  @Test
  void theSameSamplesGiveTheSameInterval() {
    double[] ours = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double[] theirs = {9, 1, 8, 2, 7, 3, 6, 4, 5};
    assertThat(Ratio.of(ours, theirs)).isEqualTo(Ratio.of(ours, theirs));
  }

  @Test
  void unequalNumbersOfSamplesAreNoPairs() {
    assertThatThrownBy(() -> Ratio.of(new double[3], new double[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 samples against 2");
  }
}
