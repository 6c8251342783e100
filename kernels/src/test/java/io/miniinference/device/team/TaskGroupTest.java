package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class TaskGroupTest {
  private static final int ITEMS = 5_000;
  private static final int WORKERS = 5;

  /// Longer than a worker spins for before it parks.
  private static final long MOST_PATIENCE_NANOS = 300_000;

  private final Team team = new Team("test", WORKERS);
  private final AtomicIntegerArray runs = new AtomicIntegerArray(ITEMS);
  private final AtomicLong slow = new AtomicLong();
  private final TaskGroup group = new TaskGroup(team, this::count, 2, 16);

  /* Items of launch 1 take so long that many workers share them. */
  private void count(int worker, int launch, long first, long count) {
    for (long item = first; item < first + count; item++) {
      runs.addAndGet((int) item, launch + 1);
      if (launch == 1) {
        compute(slow.get());
      }
    }
  }

  private static void compute(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
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
    int[] expected = new int[ITEMS];
    for (int run = 1; run <= 300; run++) {
      int head = team.enter(random.nextInt(WORKERS));
      group.begin(head);
      for (int launch = 0; launch < 2; launch++) {
        int items = random.nextBoolean() ? 1 + random.nextInt(8) : 1 + random.nextInt(ITEMS);
        slow.set(random.nextInt(20_000) / items * 10);
        group.run(launch, items, 1 + random.nextInt(2 * items));
        for (int item = 0; item < items; item++) {
          expected[item] += launch + 1;
        }
        assertRuns(expected, seed);
      }
      group.end();
      team.leave(head);
    }
  }

  private void assertRuns(int[] expected, long seed) {
    for (int item = 0; item < ITEMS; item++) {
      if (runs.get(item) != expected[item]) {
        assertThat(runs.get(item)).as("item %d, seed %d", item, seed).isEqualTo(expected[item]);
      }
    }
  }

  /// The head's item waits for another worker's: a lost wake-up leaves the launch without an end.
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void eachLaunchThatIsSharedWakesItsWorkersHoweverLongTheyWaited() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    AtomicLong begun = new AtomicLong();
    try (Team two = new Team("two", 2)) {
      TaskGroup pair = new TaskGroup(two, (_, _, _, _) -> meet(begun), 1, 1);
      for (int run = 0; run < 100; run++) {
        int head = two.enter(random.nextInt(2));
        pair.begin(head);
        for (int launch = 0; launch < 10; launch++) {
          compute(random.nextLong(MOST_PATIENCE_NANOS));
          pair.run(0, 2, 1);
        }
        pair.end();
        two.leave(head);
        LockSupport.parkNanos(random.nextLong(MOST_PATIENCE_NANOS));
      }
    }
    assertThat(begun).hasValue(100 * 10 * 2);
  }

  /* Ends when as many have begun as are two of a launch. */
  private static void meet(AtomicLong begun) {
    long mine = begun.incrementAndGet();
    while (begun.get() < mine + mine % 2) {
      Thread.onSpinWait();
    }
    compute(20_000);
  }

  @Test
  void aLaunchTooShortForTwoIsTheHeadsAlone() {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    TaskGroup quick =
        new TaskGroup(team, (_, _, _, _) -> threads.add(Thread.currentThread()), 2, 16);
    int head = team.enter(0);
    quick.begin(head);
    quick.run(0, 1, 1);
    quick.run(1, 2, 1_000);
    quick.end();
    team.leave(head);
    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
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
