package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {
  private static final long MILLI = 1_000_000;

  @Test
  void aRequestIsInTimeIfThoseInFlightAreAnsweredWithinTheLongestWait() {
    Pace pace = new Pace(Duration.ofMillis(500));
    assertThat(pace.isInTime(1_000_000)).as("before any was answered").isTrue();

    answer(pace, 100, 5 * MILLI);
    assertMost(pace, 100);
  }

  @Test
  void ofAFewNoneWaitsForTooLong() {
    Pace pace = new Pace(Duration.ofMillis(500));
    answer(pace, 10, 1_000 * MILLI);

    assertMost(pace, Pace.FEW - 1);
  }

  @Test
  void whatABatchAnswersAtOnceCountsOverItsTime() {
    Pace pace = new Pace(Duration.ofMillis(500));
    pace.entered(true);
    for (int batch = 1; batch <= 10; batch++) {
      for (int i = 0; i < 100; i++) {
        pace.answered(batch * 250 * MILLI);
      }
    }
    assertThat(pace.isInTime(190)).isTrue();
    assertThat(pace.isInTime(210)).isFalse();
  }

  @Test
  void timeWithoutRequestsIsNotTheirs() {
    Pace pace = new Pace(Duration.ofMillis(500));
    answer(pace, 100, 5 * MILLI);
    answer(pace, 1_000_000 * MILLI, 100, 5 * MILLI);
    assertMost(pace, 100);
  }

  @Test
  void zeroIsAnyTime() {
    Pace pace = new Pace(Duration.ZERO);
    answer(pace, 10, 1_000 * MILLI);

    assertThat(pace.isInTime(1_000_000)).isTrue();
  }

  private static void answer(Pace pace, int requests, long nanosEach) {
    answer(pace, 0, requests, nanosEach);
  }

  private static void answer(Pace pace, long from, int requests, long nanosEach) {
    pace.entered(true);
    for (int i = 1; i <= requests; i++) {
      pace.answered(from + i * nanosEach);
    }
  }

  private static void assertMost(Pace pace, int others) {
    assertThat(pace.isInTime(others)).isTrue();
    assertThat(pace.isInTime(others + 1)).isFalse();
  }
}
