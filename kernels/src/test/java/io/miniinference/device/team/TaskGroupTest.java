package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TaskGroupTest {
  private static final int ITEMS = 5_000;

  private final Team team = new Team("test", 3);
  private final AtomicIntegerArray runs = new AtomicIntegerArray(ITEMS);
  private final TaskGroup group = new TaskGroup(team, this::count, 2, 16);

  private void count(int worker, int launch, long first, long count) {
    for (long item = first; item < first + count; item++) {
      runs.addAndGet((int) item, launch + 1);
    }
  }

  @AfterEach
  void close() {
    team.close();
  }

  @Test
  void eachItemOfEachLaunchIsRunOnceAndDoneWhenTheLaunchIs() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 1; run <= 200; run++) {
      int head = team.enter(random.nextInt(3));
      group.begin(head);
      group.run(0, ITEMS, 1);
      group.run(1, ITEMS, 1 + random.nextInt(2 * ITEMS));
      group.end();
      team.leave(head);
      for (int item = 0; item < ITEMS; item++) {
        assertThat(runs.get(item)).as("item %d, seed %d", item, seed).isEqualTo(3 * run);
      }
    }
  }

  @Test
  void aShareThatFailsFailsTheLaunchAndTheNextOneGoesOn() {
    TaskGroup failing = new TaskGroup(team, TaskGroupTest::fail, 1, 16);
    int head = team.enter(0);
    failing.begin(head);
    assertThatThrownBy(() -> failing.run(0, ITEMS, 1)).isInstanceOf(DeviceException.class);
    failing.end();
    group.begin(head);
    group.run(0, ITEMS, 1);
    group.end();
    team.leave(head);
    assertThat(runs.get(0) + runs.get(ITEMS - 1)).isEqualTo(2);
  }

  private static void fail(int worker, int launch, long first, long count) {
    throw new DeviceException("no share works");
  }
}
