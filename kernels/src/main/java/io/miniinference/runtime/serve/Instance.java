package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Parts;
import io.miniinference.runtime.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// One arena of a model with its prepared launches: serves one request at a time.
///
/// @param maxBatch largest batch that fits the arena
/// @param parallel whether all workers of the device share its launches
/// @param commands that take batches step by step
/// @param buckets by batch, the last one holding the largest batch that goes step by step
/// @param arena byte offset of the arena in the pool, where the failure slots are
/// @param rows what takes larger batches row by row, if anything does
/// @param shared what takes all other batches in one launch, if anything does
/// @param microBatches in which larger batches go, if they do, where they do not go row by row
/// @param parts what larger batches work on that go in parts, if they do
public record Instance(
    long maxBatch,
    boolean parallel,
    ExecutionContext commands,
    List<ArenaSpec.Bucket> buckets,
    long arena,
    Optional<Rows> rows,
    Optional<Shared> shared,
    Optional<MicroBatches> microBatches,
    Optional<Binding> parts)
    implements AutoCloseable {

  /// Whose batches all go step by step.
  public Instance(
      long maxBatch,
      boolean parallel,
      ExecutionContext commands,
      List<ArenaSpec.Bucket> buckets,
      long arena) {
    this(
        maxBatch,
        parallel,
        commands,
        buckets,
        arena,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /// The one launch for batches that go row by row.
  ///
  /// @param from the smallest of them
  /// @param lanes in which rows go side by side
  /// @param ticket byte offset in the pool of the counter of pieces
  public record Rows(
      long from, Lanes lanes, ExecutionContext commands, Binding binding, long ticket) {}

  /// The one launch that goes through all steps, which workers share.
  ///
  /// @param counters byte offset in the pool of its counters
  public record Shared(ExecutionContext commands, long counters, long counterBytes) {}

  /// Commands that run a batch, and what they work on.
  ///
  /// @param byRows whether they are one launch for all steps
  /// @param ready what each run of them needs first
  /// @param microBatches in which the batch goes, if it does
  record Route(
      ExecutionContext commands,
      Binding binding,
      boolean byRows,
      Runnable ready,
      Optional<MicroBatches> microBatches) {

    /* Of a whole batch. */
    private Route(ExecutionContext commands, Binding binding, boolean byRows, Runnable ready) {
      this(commands, binding, byRows, ready, Optional.empty());
    }

    /// Rows that go through all steps ahead of the next ones, where not all of the batch do.
    Optional<Integer> rowsAtOnce() {
      return microBatches.map(MicroBatches::rows).or(() -> binding.parts().map(Parts::rows));
    }

    /// Runs the batch, which is bound and filled.
    void run(int n, boolean parallel, LaunchSequence script) {
      if (microBatches.isPresent()) {
        microBatches.get().run(commands, n, parallel, script, ready);
      } else {
        ready.run();
        commands.run(parallel, script);
      }
    }
  }

  /// The way of a batch of `n`. What may go in micro-batches as well goes row by row where lanes
  /// share it evenly and nobody else waits for a worker.
  ///
  /// @param isAlone whether no other request is on the device; asked only where it matters
  Route route(long n, BooleanSupplier isAlone) {
    return rows.filter(it -> n >= it.from)
        .filter(it -> parts(n).isEmpty() || it.lanes.shareEvenly(n) && isAlone.getAsBoolean())
        .map(Instance::route)
        .or(() -> shared.map(it -> route(it, n)))
        .orElseGet(() -> steps(n));
  }

  private Route route(Shared shared, long n) {
    Runnable ready = () -> shared.commands.zero(shared.counters, shared.counterBytes);
    return inMicroBatches(shared.commands, true, ready, n)
        .orElseGet(() -> new Route(shared.commands, binding(n), true, ready));
  }

  private static Route route(Rows rows) {
    return new Route(
        rows.commands, rows.binding, true, () -> rows.commands.zero(rows.ticket, Integer.BYTES));
  }

  /* The micro-batches in which a batch of `n` may go. */
  private Optional<MicroBatches> parts(long n) {
    return microBatches.filter(it -> n > it.rows());
  }

  private Optional<Route> inMicroBatches(
      ExecutionContext with, boolean byRows, Runnable ready, long n) {
    return parts(n).map(it -> new Route(with, it.batch(), byRows, ready, Optional.of(it)));
  }

  /// The way of a batch of `n` step by step, in parts if it is too large to go whole.
  private Route steps(long n) {
    return new Route(commands, binding(n), false, () -> {});
  }

  private Binding binding(long n) {
    if (parts.isPresent() && n > buckets.getLast().batch()) {
      return parts.get();
    }
    for (ArenaSpec.Bucket bucket : buckets) {
      if (n <= bucket.batch()) {
        return bucket.binding();
      }
    }
    throw new IllegalArgumentException(
        "batch " + n + " is above " + buckets.getLast().batch() + ", the largest of a step");
  }

  /// The way on which most is seen of a batch of `n`: step by step if it can go so.
  Route observedRoute(long n) {
    return n <= buckets.getLast().batch() || parts.isPresent()
        ? steps(n)
        : inMicroBatches(commands, false, () -> {}, n).orElseGet(() -> route(n, () -> true));
  }

  /// Releases what was prepared.
  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>(List.of(commands));
    rows.ifPresent(it -> parts.add(it.commands));
    shared.ifPresent(it -> parts.add(it.commands));
    Closing.all(parts);
  }
}
