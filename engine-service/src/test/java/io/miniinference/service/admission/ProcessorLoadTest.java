package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class ProcessorLoadTest {
  private static final long LONG = 200_000_000;
  private static final long WINDOW = ProcessorLoad.WINDOW_NANOS + 1;

  private final ProcessorLoad load = new ProcessorLoad(LONG, 0);

  @Test
  void whatWaitsLongIsRefusedAfterAWindowInWhichAllDid() {
    assertThat(load.isTooLate(LONG + 1, 1)).isFalse();
    assertThat(load.isTooLate(2 * LONG, 2)).isFalse();

    assertThat(load.isTooLate(LONG + 1, WINDOW)).isTrue();
    assertThat(load.isTooLate(LONG, WINDOW + 1)).isFalse();
  }

  @Test
  void oneShortWaitInAWindowTellsABurstFromLoad() {
    load.isTooLate(2 * LONG, 1);
    load.isTooLate(1, 2);

    assertThat(load.isTooLate(2 * LONG, WINDOW)).isFalse();
  }

  @Test
  void itLastsUntilNoneWaitsLongInAWholeWindow() {
    load.isTooLate(2 * LONG, 1);
    assertThat(load.isTooLate(2 * LONG, WINDOW)).isTrue();
    load.isTooLate(1, WINDOW + 1);
    assertThat(load.isTooLate(2 * LONG, 2 * WINDOW)).isTrue();

    load.isTooLate(1, 3 * WINDOW + 1);
    assertThat(load.isTooLate(1, 4 * WINDOW + 2)).isFalse();
    assertThat(load.isTooLate(2 * LONG, 4 * WINDOW + 3)).isFalse();
  }

  @Test
  void aWindowWithoutRequestsIsNoneOfLoad() {
    load.isTooLate(1, 1);

    assertThat(load.isTooLate(2 * LONG, 9 * WINDOW)).isFalse();
  }

  @Test
  void withoutABoundNoneIsTooLate() {
    var unbounded = new ProcessorLoad(0, 0);
    unbounded.isTooLate(Long.MAX_VALUE, 1);

    assertThat(unbounded.isTooLate(Long.MAX_VALUE, WINDOW)).isFalse();
  }

  @Test
  void theWaitOfATaskIsItsTimeBetweenSubmissionAndStart() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    long[] waited = {-1};
    ProcessorWait.measured(tasks::add).execute(() -> waited[0] = ProcessorWait.nanos());
    long submitted = System.nanoTime();
    while (System.nanoTime() - submitted < 1_000_000) {
      Thread.onSpinWait();
    }

    tasks.remove().run();

    assertThat(waited[0]).isGreaterThanOrEqualTo(1_000_000);
  }
}
