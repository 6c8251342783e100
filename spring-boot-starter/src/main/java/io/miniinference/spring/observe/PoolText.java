package io.miniinference.spring.observe;

import io.miniinference.pool.PoolStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The pool's figures in words, and as JSON that needs no library of the application's.
final class PoolText {
  private PoolText() {}

  static String of(PoolStatistics pool) {
    return """
    capacity %,d bytes
    used     %,d bytes in %d blocks, peak %,d
    held     %,d bytes in %d blocks
    free     %,d bytes in %d blocks, largest %,d
    utilization %.1f %%, fragmentation %.1f %%
    """
        .formatted(
            pool.capacityBytes(),
            pool.usedBytes(),
            pool.usedBlocks(),
            pool.peakUsedBytes(),
            pool.heldBytes(),
            pool.heldBlocks(),
            pool.freeBytes(),
            pool.freeBlocks(),
            pool.largestFreeBytes(),
            100 * pool.utilization(),
            100 * pool.fragmentationRatio());
  }

  /// All figures under the names of [PoolStatistics], and those that follow from them.
  static String json(PoolStatistics pool) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("capacityBytes", pool.capacityBytes());
    figures.put("usedBytes", pool.usedBytes());
    figures.put("heldBytes", pool.heldBytes());
    figures.put("freeBytes", pool.freeBytes());
    figures.put("requestedBytes", pool.requestedBytes());
    figures.put("peakUsedBytes", pool.peakUsedBytes());
    figures.put("largestFreeBytes", pool.largestFreeBytes());
    figures.put("usedBlocks", pool.usedBlocks());
    figures.put("heldBlocks", pool.heldBlocks());
    figures.put("freeBlocks", pool.freeBlocks());
    figures.put("events", json(pool.events()));
    figures.put("utilization", pool.utilization());
    figures.put("fragmentationRatio", pool.fragmentationRatio());
    figures.put("paddingBytes", pool.paddingBytes());
    return object(figures);
  }

  private static String json(PoolStatistics.Events events) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("allocations", events.allocations());
    counts.put("frees", events.frees());
    counts.put("refusedOverCapacity", events.refusedOverCapacity());
    counts.put("refusedNothingContiguous", events.refusedNothingContiguous());
    counts.put("splits", events.splits());
    counts.put("coalescings", events.coalescings());
    counts.put("heldHits", events.heldHits());
    counts.put("heldMisses", events.heldMisses());
    counts.put("evictions", events.evictions());
    return object(counts);
  }

  private static String object(Map<String, Object> members) {
    return members.entrySet().stream()
        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
