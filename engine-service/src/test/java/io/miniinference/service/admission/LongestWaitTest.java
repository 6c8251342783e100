package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A model that is slow takes no more requests than it answers in the longest wait, beyond a few;
/// others take theirs.
final class LongestWaitTest {
  private static final String SLOW = "slow";

  private final Admission admission = Admissions.with("engine.queue.max-wait", "1s");

  @Test
  void aRequestThatWouldWaitForTooLongIsRefusedBeforeItIsRead() throws InterruptedException {
    Deque<Admission.Place> places = new ArrayDeque<>();
    for (int i = 0; i < Pace.FEW; i++) {
      places.add(admission.admit(SLOW));
    }
    answerOneInAWindow();

    assertThatThrownBy(() -> admission.enter(SLOW))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("1000 ms (engine.queue.max-wait)");
    assertThat(admission.hasRoom(SLOW, 1, 1)).isFalse();
    admission.enter("other").close();

    places.remove().close();
    admission.enter(SLOW).close();
    assertThat(admission.hasRoom(SLOW, 1, 1)).isTrue();
    places.forEach(Admission.Place::close);
  }

  /* The first begins the time that the second took. */
  private void answerOneInAWindow() throws InterruptedException {
    admission.ran(SLOW);
    TimeUnit.NANOSECONDS.sleep(Pace.WINDOW_NANOS + TimeUnit.MILLISECONDS.toNanos(1));
    admission.ran(SLOW);
  }
}
