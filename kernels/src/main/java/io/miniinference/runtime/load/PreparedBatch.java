package io.miniinference.runtime.load;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import io.miniinference.lower.Network;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.runtime.serve.Instance;
import io.miniinference.runtime.serve.RowSpec;
import io.miniinference.runtime.serve.Serving;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The launches of a [Specialisation] for batches up to one of its buckets, with staging of that
/// size. What they are bound to is kept for the next request, which mostly borrows the same arena.
public final class PreparedBatch implements AutoCloseable {
  private final long most;
  private final long arenaBytes;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final ArenaSpec spec;
  private final Launches launches;
  private final Serving serving;
  private final Optional<RowSpec> rows;
  private final Optional<ExecutionContext> byRows;
  private final Optional<ExecutionContext> shared;

  /// Of what is held for it, once a request asked for it.
  private volatile @Nullable String tag;

  /// Made when a request first goes so; guarded by the turn.
  private Optional<ExecutionContext> bySteps;

  /// In the arena of the last request, if that was answered; guarded by the turn.
  private Optional<Bound> last = Optional.empty();

  /// Tables that are in that arena, where failure slots are empty then; guarded by the turn.
  private final Set<Table> there = Collections.newSetFromMap(new IdentityHashMap<>());

  /// What the device prepares.
  interface Launches {

    /// Launches step by step, for batches up to a size.
    ExecutionContext steps(long most);

    /// The launch that takes batches row by row.
    ExecutionContext rows(RowSpec rows);

    /// The launch whose steps workers share, for batches up to a size.
    ExecutionContext shared(SharedLaunch launch, long most);

    /// Puts a table into the pool.
    void put(long offset, MemorySegment table);
  }

  /* Launches in an arena, and the tables that they read. */
  private record Bound(long arena, Instance instance, List<Table> ofSteps, List<Table> ofRows) {}

  private record Table(long offset, MemorySegment words) {}

  /// @param most rows
  /// @param spec its arenas, whose weights lie where they are in the pool
  PreparedBatch(long most, ArenaSpec spec, Launches launches, Serving serving) {
    this.most = most;
    arenaBytes = spec.bytes(most);
    this.spec = spec;
    this.launches = launches;
    this.serving = serving;
    rows = spec.rowsUpTo(most);
    byRows = rows.map(launches::rows);
    shared =
        goesByRows(fewest())
            ? Optional.empty()
            : spec.shared().map(it -> launches.shared(it, most));
    boolean needsSteps = shared.isEmpty() && !goesByRows(fewest());
    bySteps = needsSteps ? Optional.of(launches.steps(most)) : Optional.empty();
  }

  /* The smallest batch of a bucket is more than half of its largest. */
  private long fewest() {
    return most / 2 + 1;
  }

  private boolean goesByRows(long n) {
    return rows.filter(it -> n >= it.from()).isPresent();
  }

  /// Most rows.
  public long most() {
    return most;
  }

  /// The tag under which its arena is held, which `making` makes of [#most] the first time.
  public String tag(LongFunction<String> making) {
    String known = tag;
    if (known == null) {
      known = making.apply(most);
      tag = known;
    }
    return known;
  }

  /// Bytes of the arena that a request borrows.
  public long arenaBytes() {
    return arenaBytes;
  }

  /// One request at a time, in the order in which they come; not to be taken twice by a thread.
  public ReentrantLock turn() {
    return turn;
  }

  /// Serves a request of `rows` in an arena.
  ///
  /// @param arena where it is
  /// @param isAsLeft whether its bytes are as the last request left them that was served there
  public <T> T serve(
      long arena, boolean isAsLeft, int rows, InferenceRequest request, ResponseReader<T> reader) {
    boolean isObserved = request.observer() != null;
    boolean isByRows = goesByRows(rows) && !isObserved;
    if (!isByRows && bySteps.isEmpty() && (isObserved || shared.isEmpty())) {
      bySteps = Optional.of(launches.steps(most));
      last = Optional.empty();
    }
    Optional<Bound> known = last.filter(it -> it.arena == arena);
    Bound bound = known.orElseGet(() -> bound(arena));
    last = Optional.empty(); // what fails may leave anything
    if (!isAsLeft || known.isEmpty()) {
      there.clear();
      serving.clear(bound.instance, most);
    }
    for (Table table : isByRows ? bound.ofRows : bound.ofSteps) {
      if (there.add(table)) {
        launches.put(table.offset, table.words);
      }
    }
    T answer = serving.serve(bound.instance, rows, request, reader);
    last = Optional.of(bound);
    return answer;
  }

  private Bound bound(long arena) {
    List<ArenaSpec.Bucket> buckets = spec.buckets(arena, most, 0);
    Optional<Instance.Rows> ofRows =
        rows.map(it ->
            new Instance.Rows(
                it.from(), it.lanes(), byRows.orElseThrow(), it.binding(arena), it.ticket(arena)));
    Optional<Instance.Shared> ofAll =
        shared.map(
            it -> new Instance.Shared(it, arena + spec.counterOffset(most), spec.counterBytes()));
    ExecutionContext commands = bySteps.or(() -> shared).or(() -> byRows).orElseThrow();
    return new Bound(
        arena,
        new Instance(
            most,
            true,
            commands,
            buckets,
            arena,
            ofRows,
            ofAll,
            Optional.empty(),
            Optional.empty()),
        buckets.stream().flatMap(bucket -> table(bucket.binding()).stream()).toList(),
        ofRows.flatMap(it -> table(it.binding())).stream().toList());
  }

  private Optional<Table> table(Binding binding) {
    long[] offsets = binding.offsets();
    return spec.network()
        .map(Network::table)
        .map(it -> new Table(offsets[it.place()], MemorySegment.ofArray(it.of(offsets))));
  }

  /// Waits for the request in flight and releases what was prepared.
  @Override
  public void close() {
    turn.lock(); // for good
    Closing.all(Stream.of(byRows, shared, bySteps).flatMap(Optional::stream).toList());
  }
}
