package io.miniinference.device.jvm;

import io.miniinference.device.DeviceException;
import io.miniinference.device.JvmKernel;
import io.miniinference.device.Launch;
import io.miniinference.device.host.Counters;
import io.miniinference.device.team.Team;
import io.miniinference.device.team.TeamCommands;
import io.miniinference.interp.fast.VectorForms;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Prepared launches of Java kernels.
final class JvmCommands extends TeamCommands {
  /// Of a launch, for each worker: what a kernel makes ready before its first item, such as the
  /// coefficients of a convolution, it makes ready for each piece.
  private static final int PIECES = 1;

  private final MemorySegment pool;
  private final Counters counters;
  private final JvmKernel[] kernels;

  JvmCommands(
      Team team,
      MemorySegment pool,
      Counters counters,
      List<Launch> launches,
      List<JvmKernel> kernels) {
    super(team, pool, counters, launches, PIECES);
    this.pool = pool;
    this.counters = counters;
    this.kernels = kernels.toArray(JvmKernel[]::new);
  }

  @Override
  protected void queue(int worker, int launch, long first, long count) {
    VectorForms.prepare();
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
  protected void finish(int worker) {}

  @Override
  protected @Nullable ReentrantLock turn() {
    return null;
  }

  @Override
  protected void failed() {}

  @Override
  public void close() {}
}
