package io.miniinference.runtime.serve;

import io.miniinference.device.DeviceInfo;
import io.miniinference.plan.planner.Placement;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.WeightSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a model takes from the pool at load, to the byte: its weights and the arenas of its
/// instances.
///
/// @param arenas smallest first
public record Reservation(String model, WeightSet weights, ArenaSpec spec, List<Arena> arenas) {
  /// Largest batch of the further instances that serve small requests side by side.
  private static final long SMALL_BATCH = 8;

  private static final int MOST_SMALL_INSTANCES = 8;

  /// One arena to be.
  ///
  /// @param parallel whether all workers of the device share its launches
  public record Arena(long maxBatch, long bytes, boolean parallel) {}

  /// Of a model that is compiled once.
  public static Reservation of(Compiled compiled, LoadOptions options, DeviceInfo device) {
    return of(
        compiled,
        options,
        device,
        MicroBatchChoice.of(compiled, workers(device)),
        PartChoice.of(compiled, device));
  }

  /// Of one shape of a model with open sizes, whose requests run in an arena that they borrow.
  public static Reservation ofShape(Compiled compiled, LoadOptions options, DeviceInfo device) {
    return of(compiled, options, device, Optional.empty(), Optional.empty());
  }

  /// Threads of the device that share launches; 0 where it launches each by itself.
  public static int workers(DeviceInfo device) {
    return device.kind() == DeviceInfo.Kind.OPENCL_GPU ? 0 : device.workers();
  }

  private static Reservation of(
      Compiled compiled,
      LoadOptions options,
      DeviceInfo device,
      Optional<Placement> microBatch,
      Optional<PartChoice.Choice> part) {
    ArenaSpec spec =
        new ArenaSpec(
            compiled.lowered(),
            compiled.plan(),
            new long[0],
            compiled.generated().numbers(),
            compiled.generated().network(),
            workers(device),
            microBatch,
            part);
    boolean batch = compiled.lowered().graph().hasBatch();
    long maxBatch = batch ? options.maxBatch() : 1;
    List<Arena> arenas = new ArrayList<>();
    boolean small = options.instances() == 0 && maxBatch > SMALL_BATCH;
    for (int i = 0; small && i < smallInstances(device); i++) {
      arenas.add(new Arena(SMALL_BATCH, spec.bytes(SMALL_BATCH), false));
    }
    for (int i = 0; i < Math.max(1, options.instances()); i++) {
      arenas.add(new Arena(maxBatch, spec.bytes(maxBatch), true));
    }
    return new Reservation(compiled.name(), compiled.weights(), spec, List.copyOf(arenas));
  }

  /* One for each worker; on a GPU that overlaps runs, one that is filled and read while the large
  one computes. */
  private static int smallInstances(DeviceInfo device) {
    if (device.streams() > 1) {
      return 1;
    }
    return device.workers() > 1 ? Math.min(device.workers(), MOST_SMALL_INSTANCES) : 0;
  }

  /// Bytes of weights and arenas together.
  public long bytes() {
    return weights.bytes() + arenaBytes();
  }

  public long arenaBytes() {
    return arenas.stream().mapToLong(Arena::bytes).sum();
  }

  public List<Long> eachArena() {
    return arenas.stream().map(Arena::bytes).toList();
  }

  /// The refusal of the whole load.
  ///
  /// @param missing bytes of its weights that are not in the pool
  /// @param pool the figures before the load took anything
  public LoadRefusedException refused(long missing, PoolStatistics pool) {
    return new LoadRefusedException(
        "model '%s' does not fit the pool: it needs %,d bytes (weights %,d%s; %s for batches up to %d, %,d), the pool of %,d has %,d free, %,d in one piece. %s would help"
            .formatted(
                model,
                missing + arenaBytes(),
                missing,
                missing == weights.bytes() ? "" : " besides those that other models have",
                arenas.size() == 1 ? "1 arena" : arenas.size() + " arenas",
                arenas.getLast().maxBatch(),
                arenaBytes(),
                pool.capacityBytes(),
                pool.freeBytes(),
                pool.largestFreeBytes(),
                arenas.getLast().maxBatch() > 1
                    ? "Smaller batches, a larger pool (engine.pool.capacity) or fewer models"
                    : "A larger pool (engine.pool.capacity) or fewer models"),
        weights.bytes() > pool.capacityBytes());
  }
}
