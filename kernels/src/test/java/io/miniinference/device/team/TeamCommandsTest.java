package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Binding;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.host.Counters;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which workers take part in a run.
final class TeamCommandsTest {
  private static final int ITEMS = 100;

  /// Longer than a worker spins for before it parks.
  private static final long MOST_PATIENCE_NANOS = 300_000;

  private final Team team = new Team("test", 2);
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile long itemNanos;

  /* A launch that takes as long as the test says. */
  private final class Timed extends TeamCommands {
    Timed() {
      super(
          team,
          MemorySegment.NULL,
          new Counters(),
          List.of(new Launch("kernel", List.of(), new Launch.Items(Affine.of(ITEMS), 1))),
          1);
    }

    @Override
    protected void queue(int worker, int launch, long first, long count) {
      threads.add(Thread.currentThread());
      long start = System.nanoTime();
      while (System.nanoTime() - start < count * itemNanos) {
        Thread.onSpinWait();
      }
    }

    @Override
    protected @Nullable ReentrantLock turn() {
      return null;
    }

    @Override
    protected void failed() {}

    @Override
    protected void finish(int worker) {}

    @Override
    public void close() {}
  }

  private TeamCommands commands(long nanosOfAnItem) {
    itemNanos = nanosOfAnItem;
    var commands = new Timed();
    commands.bind(new Binding(new long[0], List.of(), List.of()), 1);
    return commands;
  }

  @AfterEach
  void close() {
    team.close();
  }

  @Test
  @Timeout(60)
  void aShortRunLeavesAWorkerAsleep() {
    TeamCommands commands = commands(100);
    for (int run = 0; run < 200; run++) {
      commands.run(true, LaunchSequence.ALL);
    }
    waitForSleep();
    threads.clear();
    for (int run = 0; run < 20; run++) {
      commands.run(true, LaunchSequence.ALL);
      LockSupport.parkNanos(100_000);
      assertThat(team.hasOthersAwake(0)).isFalse();
    }
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  @Timeout(60)
  void aLongRunWakesIt() {
    TeamCommands commands = commands(50_000);
    commands.run(true, LaunchSequence.ALL);
    waitForSleep();
    threads.clear();
    while (threads.size() < 2) {
      commands.run(true, LaunchSequence.ALL);
    }
    assertThat(threads).contains(Thread.currentThread()).hasSize(2);
  }

  @Test
  @Timeout(60)
  void aShortRunIsSharedWithAWorkerThatIsAwake() {
    while (threads.size() < 2) {
      TeamCommands commands = commands(500);
      commands.run(true, LaunchSequence.ALL); // nothing is known of it: it wakes the worker
      threads.clear();
      commands.run(true, LaunchSequence.ALL);
    }
    assertThat(threads).contains(Thread.currentThread()).hasSize(2);
  }

  private void waitForSleep() {
    while (team.hasOthersAwake(0)) {
      LockSupport.parkNanos(MOST_PATIENCE_NANOS);
    }
  }
}
