package io.miniinference.pool;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The held blocks, by size under each tag for the next request and by age for eviction.
final class HeldList {
  /// Below this size a held block is taken whatever it wastes (Futhark's `free_list.h`).
  static final long SMALL_BYTES = 4096;

  private final Map<String, BlockOrder> byTag = new HashMap<>();
  private final BlockOrder byAge = new BlockOrder();
  private long bytes;

  /// What the orders of tags that hold nothing any more had visited.
  private long formerVisits;

  void add(Block block) {
    BlockOrder ofTag = byTag.computeIfAbsent(block.owner, _ -> new BlockOrder());
    block.bySize = ofTag.add(block, block.size, block.offset);
    block.byPlace = byAge.add(block, block.heldSince, 0);
    bytes += block.size;
  }

  void remove(Block block) {
    BlockOrder ofTag = byTag.get(block.owner);
    if (ofTag == null || block.bySize == null || block.byPlace == null) {
      throw new IllegalStateException("block " + block + " is not held");
    }
    ofTag.remove(block.bySize);
    byAge.remove(block.byPlace);
    block.bySize = null;
    block.byPlace = null;
    bytes -= block.size;
    if (ofTag.size() == 0) {
      byTag.remove(block.owner);
      formerVisits += ofTag.visits();
    }
  }

  /// The smallest block held under `tag` that serves `rounded` bytes without wasting more than half
  /// of itself.
  @Nullable Block fitting(String tag, long rounded) {
    BlockOrder ofTag = byTag.get(tag);
    Block candidate = ofTag == null ? null : ofTag.ceiling(rounded, 0);
    return candidate != null && worthwhile(candidate, rounded) ? candidate : null;
  }

  /// The smallest block held under `tag`; null if none is.
  @Nullable Block smallest(String tag) {
    BlockOrder ofTag = byTag.get(tag);
    return ofTag == null ? null : ofTag.first();
  }

  private static boolean worthwhile(Block block, long rounded) {
    return block.size < SMALL_BYTES || block.size / 2 <= rounded;
  }

  /// The least recently used block; null if none is held.
  @Nullable Block oldest() {
    return byAge.first();
  }

  boolean contains(Block block) {
    BlockOrder ofTag = byTag.get(block.owner);
    return ofTag != null
        && ofTag.contains(block.bySize, block)
        && byAge.contains(block.byPlace, block);
  }

  long bytes() {
    return bytes;
  }

  int tagCount() {
    return byTag.values().stream().mapToInt(BlockOrder::size).sum();
  }

  int ageCount() {
    return byAge.size();
  }

  /// Tree nodes visited so far, in all orders.
  long visits() {
    return formerVisits
        + byAge.visits()
        + byTag.values().stream().mapToLong(BlockOrder::visits).sum();
  }
}
