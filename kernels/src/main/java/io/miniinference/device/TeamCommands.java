package io.miniinference.device;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Prepared launches on a device whose kernels address host memory, run by a [Team]: alone on one
/// worker, or each launch shared by all.
abstract sealed class TeamCommands implements Commands, Shares
    permits JvmCommands, OpenClCpuCommands {
  final Bound bound;
  private final Team team;
  private final Crew crew;
  private final MemorySegment pool;
  private final Counters counters;
  private final int[] grains;
  private @Nullable MemorySegment[] inputs = {};
  private @Nullable MemorySegment[] outputs = {};
  private int lastWorker;

  TeamCommands(Team team, MemorySegment pool, Counters counters, List<Launch> launches) {
    this.team = team;
    this.pool = pool;
    this.counters = counters;
    bound = new Bound(launches);
    crew = new Crew(team, this);
    grains = launches.stream().mapToInt(TeamCommands::grain).toArray();
  }

  /// Groups are not split: they are what GPUs run, and here only tests do.
  private static int grain(Launch launch) {
    return switch (launch.work()) {
      case Launch.Items items -> Math.max(1, items.grain());
      case Launch.Groups _ -> Integer.MAX_VALUE;
    };
  }

  @Override
  public final void bind(Binding binding, int n) {
    if (bound.bind(binding, n)) {
      inputs = new MemorySegment[binding.inputs().size()];
      outputs = new MemorySegment[binding.outputs().size()];
    }
  }

  @Override
  public final MemorySegment input(int index) {
    return slice(inputs, bound.binding().inputs(), index);
  }

  @Override
  public final MemorySegment output(int index) {
    return slice(outputs, bound.binding().outputs(), index);
  }

  private MemorySegment slice(
      @Nullable MemorySegment[] known, List<Binding.Region> regions, int index) {
    MemorySegment segment = known[index];
    if (segment == null) {
      segment = bound.slice(pool, regions.get(index));
      known[index] = segment;
    }
    return segment;
  }

  @Override
  public final void run(boolean parallel) {
    ReentrantLock turn = turn();
    if (turn == null) {
      share(parallel);
      return;
    }
    turn.lock();
    try {
      share(false);
    } finally {
      turn.unlock();
    }
  }

  private void share(boolean parallel) {
    bound.binding();
    int worker = team.enter(lastWorker);
    lastWorker = worker;
    try {
      if (parallel && team.size() > 1) {
        together(worker);
      } else {
        alone(worker);
      }
    } catch (DeviceException e) {
      failed();
      throw e;
    } finally {
      team.leave(worker);
    }
    counters.waits.increment();
  }

  private void together(int worker) {
    crew.begin(worker);
    try {
      for (int i = 0; i < bound.launches(); i++) {
        if (bound.items(i) > 0) {
          crew.run(i, bound.items(i), grains[i]);
        }
      }
    } finally {
      crew.end();
    }
  }

  private void alone(int worker) {
    for (int i = 0; i < bound.launches(); i++) {
      if (bound.items(i) > 0) {
        queue(worker, i, 0, bound.items(i));
      }
    }
    finish(worker);
  }

  @Override
  public final void run(int worker, int launch, long first, long count) {
    queue(worker, launch, first, count);
    finish(worker);
  }

  /// Queues a share of a launch behind what was queued on that worker before.
  abstract void queue(int worker, int launch, long first, long count);

  /// A lock where runs must go one at a time, null where they need not.
  abstract @Nullable ReentrantLock turn();

  /// Hears of a failure of the device.
  abstract void failed();

  /// Waits for all that was queued on a worker.
  abstract void finish(int worker);
}
