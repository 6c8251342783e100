package io.miniinference.device.opencl;

import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.team.Team;
import io.miniinference.device.team.TeamCommands;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Prepared launches on a CPU: a queue per worker, staging in the arena itself.
final class OpenClCpuCommands extends TeamCommands {
  /// Of a launch, for each worker.
  private static final int MOST_PIECES = 16;

  private final OpenClContext context;
  private final OpenClSequence sequence;
  private final Consumer<ExecutionContext> onClose;
  private boolean closed;

  OpenClCpuCommands(
      Team team,
      MemorySegment pool,
      OpenClContext context,
      List<Launch> launches,
      OpenClSequence sequence,
      Consumer<ExecutionContext> onClose) {
    super(team, pool, context.counters(), launches, MOST_PIECES);
    this.context = context;
    this.sequence = sequence;
    this.onClose = onClose;
  }

  @Override
  protected void queue(int worker, int launch, long first, long count) {
    sequence.queue(bound, worker, launch, first, count);
  }

  @Override
  protected void finish(int worker) {
    OpenClContext.finish(context.queue(worker), "");
  }

  @Override
  protected @Nullable ReentrantLock turn() {
    return context.turn();
  }

  @Override
  protected void failed() {
    context.lost();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sequence.close();
      onClose.accept(this);
    }
  }
}
