package io.miniinference.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ActivityTest {
  private final AtomicLong clock = new AtomicLong();
  private final Activity activity = new Activity(clock::get);

  @Test
  void oneRequestAfterTheOtherIsAlone() {
    for (int i = 0; i < 3; i++) {
      assertThat(activity.enterAlone()).isTrue();
      activity.leave();
    }
  }

  @Test
  void afterACrowdNoneIsAloneForAMomentAndThenAgain() {
    activity.enterAlone();
    assertThat(activity.enterAlone()).isFalse();
    activity.leave();
    activity.leave();

    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(4));
    assertThat(activity.enterAlone()).isFalse();
    activity.leave();

    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(activity.enterAlone()).isTrue();
  }

  /// A request asks before it enters.
  @Test
  void itIsQuietWhileNobodyIsOrJustWasThere() {
    assertThat(activity.isQuiet()).isTrue();
    activity.enterAlone();
    assertThat(activity.isQuiet()).isFalse();
    activity.enterAlone();
    activity.leave();
    activity.leave();
    assertThat(activity.isQuiet()).as("two were there just now").isFalse();
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(activity.isQuiet()).isTrue();
  }
}
