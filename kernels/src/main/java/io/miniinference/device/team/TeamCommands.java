package io.miniinference.device.team;

import io.miniinference.device.Binding;
import io.miniinference.device.DeviceException;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.device.host.Bound;
import io.miniinference.device.host.Counters;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Prepared launches on a device whose kernels address host memory, run by a [Team]: alone on one
/// worker, or each launch shared by all.
public abstract class TeamCommands implements ExecutionContext, Launcher, Shares {
  /// The grain of a launch that one worker runs.
  private static final int WHOLE = 0;

  public final Bound bound;
  private final Team team;
  private final TaskGroup crew;
  private final MemorySegment pool;
  private final Counters counters;

  /// Fewest items worth a worker, by launch, or [#WHOLE].
  private final int[] grains;

  private @Nullable MemorySegment[] inputs = {};
  private @Nullable MemorySegment[] outputs = {};
  private int lastWorker;

  /// Whether all workers share the launches of the run.
  private boolean together;

  /// @param mostPieces into which a launch is cut for each worker, as far as a piece is cheap
  public TeamCommands(
      Team team, MemorySegment pool, Counters counters, List<Launch> launches, int mostPieces) {
    this.team = team;
    this.pool = pool;
    this.counters = counters;
    bound = new Bound(launches);
    crew = new TaskGroup(team, this, launches.size(), mostPieces);
    grains = launches.stream().mapToInt(TeamCommands::grain).toArray();
  }

  /// Groups are not split: they are what GPUs run, and here only tests do.
  private static int grain(Launch launch) {
    return switch (launch.work()) {
      case Launch.Items items -> Math.max(1, items.grain());
      case Launch.Groups _ -> WHOLE;
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
  public final void zero(long poolOffsetBytes, long sizeBytes) {
    pool.asSlice(poolOffsetBytes, sizeBytes).fill((byte) 0);
  }

  @Override
  public final void run(boolean parallel, LaunchSequence script) {
    bound.binding();
    int worker = team.enter(lastWorker);
    // asked for after entering, since those who entered before there was one are waited for
    ReentrantLock turn = turn();
    if (turn == null) {
      serve(worker, parallel, script);
      return;
    }
    turn.lock();
    try {
      serve(worker, false, script);
    } finally {
      turn.unlock();
    }
  }

  private void serve(int worker, boolean parallel, LaunchSequence script) {
    lastWorker = worker;
    together = parallel && team.size() > 1;
    crew.begin(worker);
    try {
      play(script);
    } catch (DeviceException e) {
      failed();
      throw e;
    } finally {
      crew.end();
      team.leave(worker);
    }
    counters.waits.increment();
  }

  private void play(LaunchSequence script) {
    try {
      script.run(this);
    } catch (DeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      settle();
      throw e;
    }
    settle();
  }

  /* Launches that workers share are waited for one by one. */
  private void settle() {
    if (!together) {
      finish(lastWorker);
    }
  }

  @Override
  public final int launches() {
    return bound.launches();
  }

  @Override
  public final void launch(int index) {
    long items = bound.items(index);
    if (items == 0) {
      return;
    }
    if (!together) {
      queue(lastWorker, index, 0, items);
    } else if (grains[index] == WHOLE) {
      run(lastWorker, index, 0, items);
    } else {
      crew.run(index, items, grains[index]);
    }
  }

  @Override
  public final void offset(int entry, long value) {
    bound.offset(entry, value);
  }

  @Override
  public final void read(Read... reads) {
    settle();
    for (Read read : reads) {
      read.target().copyFrom(pool.asSlice(read.poolOffsetBytes(), read.target().byteSize()));
    }
    counters.waits.increment();
  }

  @Override
  public final void run(int worker, int launch, long first, long count) {
    queue(worker, launch, first, count);
    finish(worker);
  }

  /// Queues a share of a launch behind what was queued on that worker before.
  protected abstract void queue(int worker, int launch, long first, long count);

  /// A lock where runs must go one at a time, null where they need not.
  protected abstract @Nullable ReentrantLock turn();

  /// Hears of a failure of the device.
  protected abstract void failed();

  /// Waits for all that was queued on a worker.
  protected abstract void finish(int worker);
}
