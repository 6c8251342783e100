package io.miniinference.runtime.specialise;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.RequestShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What is planned ahead of requests whose sizes grow.
final class GrowingSizesTest {
  private static final int WORKERS = 2;

  private final List<Long> planned = new ArrayList<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long last = Long.MAX_VALUE;
  private int room = 1000;

  private final GrowingSizes growing =
      new GrowingSizes(this::isPlanned, () -> room, tasks::add, WORKERS);

  private boolean isPlanned(RequestShape shape) {
    long past = shape.sizes().get("past");
    assertThat(shape.sizes()).isEqualTo(Map.of("past", past, "total", past + 1, "fresh", 1L));
    planned.add(past);
    return past < last;
  }

  private static RequestShape token(long past) {
    return new RequestShape(1, Map.of("past", past, "total", past + 1, "fresh", 1L));
  }

  private void ask(long... pasts) {
    LongStream.of(pasts).forEach(past -> growing.asked(token(past)));
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void threeInARowTellAStep() {
    ask(7, 8);
    assertThat(planned).isEmpty();
    ask(9);
    assertThat(planned).containsExactly(10L, 11L, 12L, 13L);
  }

  @Test
  void eachThatFollowsDoublesHowFar() {
    ask(7, 8, 9);
    planned.clear();
    ask(10);
    assertThat(planned).containsExactly(14L, 15L, 16L, 17L, 18L);
    ask(11, 12, 13, 14, 15);
    assertThat(planned).contains(15L + 64).doesNotContain(15L + 65).doesNotHaveDuplicates();
  }

  @Test
  void aStepMayBeLargerAndARunPassSomeByThatWereAtHand() {
    ask(10, 14, 18);
    assertThat(planned).startsWith(22L, 26L);
    planned.clear();
    ask(30);
    assertThat(planned).startsWith(18L + 5 * 4).doesNotHaveDuplicates();
  }

  @Test
  void othersThatComeBetweenAreNoMatter() {
    ask(100, 7, 200, 101, 8, 201, 102, 9);
    assertThat(planned).contains(103L, 10L).doesNotContain(202L, 108L, 17L);
  }

  @Test
  void equalShrinkingAndRandomOnesTellNone() {
    ask(5, 5, 5, 9, 8, 7, 6, 40, 31, 77, 12);
    assertThat(planned).isEmpty();
  }

  @Test
  void noMoreIsPlannedThanIsKept() {
    room = 3;
    ask(1, 2, 3);
    ask(4);
    assertThat(planned).containsExactly(4L, 5L, 6L, 7L);
    room = 0;
    ask(11, 12, 13, 14);
    assertThat(planned).hasSize(4);
  }

  @Test
  void aRunEndsWhereThereIsNoPlan() {
    last = 5;
    ask(1, 2, 3);
    ask(4, 5);
    assertThat(planned).containsExactly(4L, 5L);
  }

  @Test
  void whatFailsEndsARun() {
    var failing =
        new GrowingSizes(
            _ -> {
              throw new IllegalStateException("no plan");
            },
            () -> room,
            Runnable::run,
            WORKERS);
    LongStream.range(0, 9).forEach(past -> failing.asked(token(past)));
    assertThat(planned).isEmpty();
  }

  @Test
  void noMoreTasksAreBegunThanAreToWork() {
    LongStream.range(1, 20).forEach(past -> growing.asked(token(past)));
    assertThat(tasks).hasSize(WORKERS);
  }
}
