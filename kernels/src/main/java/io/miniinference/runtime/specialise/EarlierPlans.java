package io.miniinference.runtime.specialise;

import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.WeightSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Plans and launches of shapes, also of those that are not compiled any more: a shape that comes
/// back after others took its place is uploaded and prepared, and not planned again. They take no
/// memory of the device, and of the host's up to a number of bytes; those that were not asked for
/// the longest go first. For any number of threads.
final class EarlierPlans {
  /// Of one model, some ten thousand steps.
  private static final long LEAST_BYTES = 32 << 20;

  /// A heap has room for more where it is large: a text model's plans of all of its lengths.
  private static final long SHARE_OF_HEAP = 32;

  /// What a step takes, with its arrays, lifetimes and offsets.
  private static final long BYTES_PER_STEP = 3_000;

  private final long mostBytes;
  private final Map<String, Kept> plans = new LinkedHashMap<>(16, 0.75f, true);

  /// Of the first shape.
  private @Nullable WeightSet common;

  private long bytes;
  private long largest;

  private record Kept(Compiled compiled, long bytes) {}

  EarlierPlans() {
    this(mostBytes(Runtime.getRuntime().maxMemory()));
  }

  EarlierPlans(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// Bytes of the plans of one model in a heap of so many.
  static long mostBytes(long heapBytes) {
    return Math.max(LEAST_BYTES, heapBytes / SHARE_OF_HEAP);
  }

  /// What was compiled under a key, if it is still there.
  synchronized Optional<Compiled> of(String key) {
    return Optional.ofNullable(plans.get(key)).map(Kept::compiled);
  }

  synchronized boolean has(String key) {
    return plans.containsKey(key);
  }

  /// Whether a plan as large as the largest so far would drive out none.
  synchronized boolean hasRoom() {
    return bytes + largest <= mostBytes;
  }

  /// How many as large as the largest so far a quarter of them has room for.
  synchronized int ahead() {
    return (int) Math.min(Integer.MAX_VALUE, mostBytes / 4 / Math.max(1, largest));
  }

  /// Takes note of what was compiled under a key.
  synchronized void add(String key, Compiled compiled) {
    WeightSet first = common == null ? compiled.weights() : common;
    common = first;
    long size = bytes(compiled, first);
    largest = Math.max(largest, size);
    if (size > mostBytes || plans.putIfAbsent(key, new Kept(compiled, size)) != null) {
      return;
    }
    bytes += size;
    Iterator<Kept> oldest = plans.values().iterator();
    while (bytes > mostBytes) {
      bytes -= oldest.next().bytes;
      oldest.remove();
    }
  }

  /// About what it takes to keep what was compiled.
  ///
  /// @param common weights that are there anyway: those of a first shape are mostly the file's
  static long bytes(Compiled compiled, WeightSet common) {
    return compiled.lowered().plan().body().steps().size() * BYTES_PER_STEP
        + compiled.weights().bytesBeside(common);
  }
}
