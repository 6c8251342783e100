package io.miniinference.pool;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The held blocks, by (tag, size, address) for the next request and by age for eviction.
final class HeldList {
  /// Below this size a held block is taken whatever it wastes (Futhark's `free_list.h`).
  static final long SMALL_BYTES = 4096;

  private final BlockOrder byTag =
      new BlockOrder(
          Comparator.<Block, String>comparing(b -> b.owner)
              .thenComparingLong(b -> b.size)
              .thenComparingLong(b -> b.offset));
  private final BlockOrder byAge = new BlockOrder(Comparator.comparingLong(b -> b.heldSince));
  private long bytes;

  void add(Block block) {
    byTag.add(block);
    byAge.add(block);
    bytes += block.size;
  }

  void remove(Block block) {
    byTag.remove(block);
    byAge.remove(block);
    bytes -= block.size;
  }

  /// The smallest block held under `tag` that serves `rounded` bytes without wasting more than half
  /// of itself.
  @Nullable Block fitting(String tag, long rounded) {
    Block probe = new Block(0, rounded);
    probe.owner = tag;
    Block candidate = byTag.ceiling(probe);
    return candidate != null && candidate.owner.equals(tag) && worthwhile(candidate, rounded)
        ? candidate
        : null;
  }

  private static boolean worthwhile(Block block, long rounded) {
    return block.size < SMALL_BYTES || block.size / 2 <= rounded;
  }

  /// The least recently used block.
  Block oldest() {
    return byAge.first();
  }

  boolean contains(Block block) {
    return byTag.contains(block) && byAge.contains(block);
  }

  boolean isEmpty() {
    return byAge.isEmpty();
  }

  long bytes() {
    return bytes;
  }

  int tagCount() {
    return byTag.size();
  }

  int ageCount() {
    return byAge.size();
  }

  long visits() {
    return byTag.visits() + byAge.visits();
  }
}
