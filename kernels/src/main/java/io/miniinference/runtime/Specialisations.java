package io.miniinference.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The specialisations of a model that stay compiled, least recently used first. The monitor guards
/// the table only: compiling holds the lock of its entry, so that other shapes go on, and nothing
/// is held while the device works.
final class Specialisations implements AutoCloseable {
  private final int most;
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /// @param most entries that stay while nobody uses them
  Specialisations(int most) {
    this.most = most;
  }

  private static final class Entry {
    private @Nullable Specialisation value;

    /// Requests that use it now; guarded by the table's monitor.
    private int users;

    synchronized Specialisation get(Supplier<Specialisation> compiler) {
      Specialisation known = value;
      if (known == null) {
        known = compiler.get();
        value = known;
      }
      return known;
    }

    synchronized @Nullable Specialisation ready() {
      return value;
    }
  }

  /// Calls `use` with the specialisation for `key`, which `compiler` makes if there is none.
  <T> T with(String key, Supplier<Specialisation> compiler, Function<Specialisation, T> use) {
    Entry entry = enter(key);
    try {
      return use.apply(entry.get(compiler));
    } finally {
      leave(key, entry).forEach(Specialisation::close);
    }
  }

  private synchronized Entry enter(String key) {
    if (closed) {
      throw new IllegalStateException("the model is being unloaded");
    }
    Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
    entry.users++;
    return entry;
  }

  /* Returns what has to go: entries that failed to compile leave no trace, the oldest idle ones
  make room. */
  private synchronized List<Specialisation> leave(String key, Entry entry) {
    entry.users--;
    if (entry.ready() == null && entry.users == 0) {
      entries.remove(key, entry);
    }
    List<Specialisation> evicted = new ArrayList<>();
    var oldest = entries.values().iterator();
    while (entries.size() > most && oldest.hasNext()) {
      Entry candidate = oldest.next();
      Specialisation value = candidate.users == 0 ? candidate.ready() : null;
      if (value != null) {
        oldest.remove();
        evicted.add(value);
      }
    }
    return evicted;
  }

  /// Those compiled, least recently used first.
  synchronized List<Specialisation> ready() {
    List<Specialisation> ready = new ArrayList<>();
    for (Entry entry : entries.values()) {
      Specialisation value = entry.users == 0 ? entry.ready() : null;
      if (value != null) {
        ready.add(value);
      }
    }
    return ready;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /// Lets nobody in any more and closes all after the requests in flight.
  @Override
  public void close() {
    List<Entry> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(entries.values());
      entries.clear();
    }
    for (Entry entry : all) {
      Specialisation value = entry.ready();
      if (value != null) {
        value.close();
      }
    }
  }
}
