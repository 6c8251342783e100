package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import io.miniinference.runtime.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One arena of a model with its prepared launches: serves one request at a time.
///
/// @param maxBatch largest batch that fits the arena
/// @param parallel whether all workers of the device share its launches
/// @param commands that take batches step by step
/// @param buckets by batch, the last one holding the largest batch that goes step by step
/// @param arena byte offset of the arena in the pool, where the failure slots are
/// @param rows what takes larger batches row by row, if anything does
/// @param shared what takes all other batches in one launch, if anything does
public record Instance(
    long maxBatch,
    boolean parallel,
    ExecutionContext commands,
    List<ArenaSpec.Bucket> buckets,
    long arena,
    Optional<Rows> rows,
    Optional<Shared> shared)
    implements AutoCloseable {

  /// Whose batches all go step by step.
  public Instance(
      long maxBatch,
      boolean parallel,
      ExecutionContext commands,
      List<ArenaSpec.Bucket> buckets,
      long arena) {
    this(maxBatch, parallel, commands, buckets, arena, Optional.empty(), Optional.empty());
  }

  /// The one launch for batches that go row by row.
  ///
  /// @param from the smallest of them
  /// @param ticket byte offset in the pool of the counter of pieces
  public record Rows(long from, ExecutionContext commands, Binding binding, long ticket) {}

  /// The one launch that goes through all steps, which workers share.
  ///
  /// @param counters byte offset in the pool of its counters
  public record Shared(ExecutionContext commands, long counters, long counterBytes) {}

  /// Commands that run a batch, and what they work on.
  ///
  /// @param byRows whether they are one launch for all steps
  record Route(ExecutionContext commands, Binding binding, boolean byRows) {}

  /// The way of a batch of `n`, made ready for it.
  Route route(long n) {
    return rows.filter(it -> n >= it.from)
        .map(Instance::route)
        .or(() -> shared.map(it -> route(it, n)))
        .orElseGet(() -> steps(n));
  }

  private Route route(Shared shared, long n) {
    shared.commands.zero(shared.counters, shared.counterBytes);
    return new Route(shared.commands, steps(n).binding, true);
  }

  private static Route route(Rows rows) {
    rows.commands.zero(rows.ticket, Integer.BYTES);
    return new Route(rows.commands, rows.binding, true);
  }

  /// The way of a batch of `n` step by step.
  private Route steps(long n) {
    for (ArenaSpec.Bucket bucket : buckets) {
      if (n <= bucket.batch()) {
        return new Route(commands, bucket.binding(), false);
      }
    }
    throw new IllegalArgumentException("batch " + n + " is above " + maxBatch);
  }

  /// The way on which most is seen of a batch of `n`: step by step if it can go so.
  Route observedRoute(long n) {
    return n <= buckets.getLast().batch() ? steps(n) : route(n);
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
