package io.miniinference.runtime.specialise;

import io.miniinference.runtime.Closing;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.SpecialisationStatistics;
import io.miniinference.runtime.SpecialisationStatistics.Promise;
import io.miniinference.runtime.load.PromisedRoom;
import io.miniinference.runtime.load.SharedWeights;
import io.miniinference.runtime.load.Specialisation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The specialisations of a model that stay compiled, least recently used first. The monitor guards
/// the table only: compiling holds the lock of its entry, so that other shapes go on and a shape is
/// compiled once, and nothing is held while the device works.
final class Specialisations implements AutoCloseable {
  private static final long STEP_MILLIS = 5;

  private final int most;
  private final BiConsumer<String, Specialisation> whenGone;
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /// Those that work on what no entry is of.
  private int guests;

  private long compiled;
  private long compileNanos;
  private long evicted;

  /// @param most entries that stay while no request uses them
  /// @param whenGone takes the key of each that was closed
  Specialisations(int most, BiConsumer<String, Specialisation> whenGone) {
    this.most = most;
    this.whenGone = whenGone;
  }

  /* One that no request finds any more. */
  private record Gone(String key, Specialisation value, BiConsumer<String, Specialisation> whenGone)
      implements AutoCloseable {
    @Override
    public void close() {
      try {
        value.close();
      } finally {
        whenGone.accept(key, value);
      }
    }
  }

  private static final class Entry {
    private volatile @Nullable Specialisation value;

    /// Requests that use it now; guarded by the table's monitor.
    private int users;
  }

  /// Calls `use` with the specialisation for `key`, which `compiler` makes if there is none.
  <T> T with(String key, Supplier<Specialisation> compiler, Function<Specialisation, T> use) {
    Entry entry = enter(key);
    try {
      return use.apply(get(entry, compiler));
    } finally {
      leave(key, entry).forEach(Gone::close);
    }
  }

  /// Calls `use` with the specialisation for `key`, if it is there.
  <T> Optional<T> withReady(String key, Function<Specialisation, T> use) {
    Entry entry = enterReady(key);
    if (entry == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(use.apply(Objects.requireNonNull(entry.value, "value")));
    } finally {
      leave(key, entry).forEach(Gone::close);
    }
  }

  /// Does work that no entry is of, and that [#close] waits for.
  ///
  /// @throws ModelClosedException if it is closed; nothing was done
  void whileOpen(Runnable work) {
    synchronized (this) {
      if (closed) {
        throw new ModelClosedException();
      }
      guests++;
    }
    try {
      work.run();
    } finally {
      synchronized (this) {
        guests--;
        notifyAll();
      }
    }
  }

  /// Whether the specialisation for `key` is there.
  synchronized boolean isReady(String key) {
    Entry entry = entries.get(key);
    return entry != null && entry.value != null;
  }

  private synchronized @Nullable Entry enterReady(String key) {
    Entry entry = closed ? null : entries.get(key);
    if (entry == null || entry.value == null) {
      return null;
    }
    entry.users++;
    return entry;
  }

  private Specialisation get(Entry entry, Supplier<Specialisation> compiler) {
    synchronized (entry) {
      Specialisation known = entry.value;
      if (known == null) {
        known = timed(compiler);
        entry.value = known;
      }
      return known;
    }
  }

  private Specialisation timed(Supplier<Specialisation> compiler) {
    long start = System.nanoTime();
    boolean done = false;
    try {
      Specialisation made = compiler.get();
      done = true;
      return made;
    } finally {
      count(done, System.nanoTime() - start);
    }
  }

  private synchronized void count(boolean done, long nanos) {
    compiled += done ? 1 : 0;
    compileNanos += nanos;
  }

  private synchronized Entry enter(String key) {
    if (closed) {
      throw new ModelClosedException();
    }
    Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
    entry.users++;
    return entry;
  }

  /* Returns what has to go: entries that failed to compile leave no trace, the oldest idle ones
  make room. */
  private synchronized List<Gone> leave(String key, Entry entry) {
    entry.users--;
    if (entry.value == null && entry.users == 0) {
      entries.remove(key, entry);
    }
    notifyAll();
    return closed || entries.size() <= most ? List.of() : evictIdle(entries.size() - most);
  }

  private List<Gone> evictIdle(int count) {
    List<Gone> idle = removeIdle(count);
    evicted += idle.size();
    return idle;
  }

  private List<Gone> removeIdle(int count) {
    List<Gone> idle = new ArrayList<>();
    var oldest = entries.entrySet().iterator();
    while (idle.size() < count && oldest.hasNext()) {
      Map.Entry<String, Entry> candidate = oldest.next();
      Entry entry = candidate.getValue();
      Specialisation value = entry.users == 0 ? entry.value : null;
      if (value != null) {
        oldest.remove();
        idle.add(new Gone(candidate.getKey(), value, whenGone));
      }
    }
    return idle;
  }

  /// Gives back the least recently used specialisation that no request uses.
  ///
  /// @return whether there was one
  boolean evictOldest() {
    List<Gone> oldest;
    synchronized (this) {
      oldest = evictIdle(1);
    }
    oldest.forEach(Gone::close);
    return !oldest.isEmpty();
  }

  /// Waits until the place of a room is free, or gives back the one that may be there: the least
  /// recently used.
  ///
  /// @return whether it did, before the patience ended
  boolean leavePlace(PromisedRoom room, long patienceNanos) {
    awaitLeft(room, patienceNanos);
    return !room.isPlaceTaken() || evictOldest();
  }

  /* In short steps: one that is closed gives its place back without a word. */
  private synchronized void awaitLeft(PromisedRoom room, long patienceNanos) {
    long end = System.nanoTime() + Math.min(patienceNanos, Long.MAX_VALUE / 2);
    try {
      while (room.isPlaceTaken() && !hasIdle() && end - System.nanoTime() > 0) {
        wait(STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasIdle() {
    return entries.values().stream().anyMatch(entry -> entry.users == 0 && entry.value != null);
  }

  /// Those compiled, least recently used first.
  synchronized List<Specialisation> ready() {
    return entries.values().stream()
        .map(entry -> entry.value)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }

  /// @param kernels that they share
  /// @param mostKernels that they may share
  /// @param room that was promised, whose weights count
  synchronized SpecialisationStatistics statistics(
      int kernels, int mostKernels, Optional<PromisedRoom> room) {
    List<Specialisation> ready = ready();
    Optional<Promise> promise = room.map(PromisedRoom::figures);
    return new SpecialisationStatistics(
        ready.size(),
        most,
        compiled,
        compileNanos,
        evicted,
        bytes(ready, room) - promise.map(Promise::bytes).orElse(0L),
        kernels,
        mostKernels,
        promise);
  }

  /* All take their weights from one store. */
  private static long bytes(List<Specialisation> ready, Optional<PromisedRoom> room) {
    List<SharedWeights.Taken> all =
        Stream.concat(
                ready.stream().map(Specialisation::weights), room.map(PromisedRoom::taken).stream())
            .toList();
    return all.isEmpty() ? 0 : all.getFirst().bytesWith(all);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /// Lets no request in any more and closes all after the requests in flight.
  @Override
  public void close() {
    Closing.all(closeWhenIdle());
  }

  private synchronized List<Gone> closeWhenIdle() {
    closed = true;
    boolean interrupted = false;
    while (guests > 0 || entries.values().stream().anyMatch(entry -> entry.users > 0)) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return removeIdle(entries.size());
  }
}
