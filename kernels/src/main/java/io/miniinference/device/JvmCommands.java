package io.miniinference.device;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Prepared launches of Java kernels.
final class JvmCommands extends TeamCommands {
  private final MemorySegment pool;
  private final Counters counters;
  private final JvmKernel[] kernels;

  JvmCommands(
      Team team,
      MemorySegment pool,
      Counters counters,
      List<Launch> launches,
      List<JvmKernel> kernels) {
    super(team, pool, counters, launches);
    this.pool = pool;
    this.counters = counters;
    this.kernels = kernels.toArray(JvmKernel[]::new);
  }

  @Override
  void queue(int worker, int launch, long first, long count) {
    try {
      kernels[launch].run(pool, bound.n(), first, count, bound.offsets(launch));
    } catch (RuntimeException e) {
      throw new DeviceException(
          "kernel '%s' failed on items %d to %d at batch size %d: %s"
              .formatted(bound.launch(launch).kernel(), first, first + count - 1, bound.n(), e),
          e);
    }
    counters.launches.increment();
  }

  @Override
  void finish(int worker) {}

  @Override
  @Nullable ReentrantLock turn() {
    return null;
  }

  @Override
  void failed() {}

  @Override
  public void close() {}
}
