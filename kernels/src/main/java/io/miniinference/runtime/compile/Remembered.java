package io.miniinference.runtime.compile;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Results by what they follow from, up to a number of bytes; those that were not asked for the
/// longest go first. For any number of threads, of which two may compute the same.
final class Remembered<K, V> {
  private record Entry<V>(V value, long bytes) {}

  private final long mostBytes;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  Remembered(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// What is known for `key`, or what `computing` gives.
  ///
  /// @param size bytes that the result takes
  V of(K key, long size, Supplier<V> computing) {
    V known = get(key);
    if (known != null) {
      return known;
    }
    V value = computing.get();
    put(key, value, size);
    return value;
  }

  private synchronized @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value;
  }

  private synchronized void put(K key, V value, long size) {
    if (size <= mostBytes && entries.putIfAbsent(key, new Entry<>(value, size)) == null) {
      bytes += size;
      Iterator<Entry<V>> oldest = entries.values().iterator();
      while (bytes > mostBytes) {
        bytes -= oldest.next().bytes;
        oldest.remove();
      }
    }
  }
}
