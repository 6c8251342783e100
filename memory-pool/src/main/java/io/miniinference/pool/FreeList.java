package io.miniinference.pool;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The free blocks, by address (the RFC's free list) and by size (for best fit).
final class FreeList {
  private final BlockOrder byAddress = new BlockOrder(Comparator.comparingLong(b -> b.offset));
  private final BlockOrder bySize =
      new BlockOrder(Comparator.<Block>comparingLong(b -> b.size).thenComparingLong(b -> b.offset));
  private long bytes;
  private long touches;

  void add(Block block) {
    byAddress.add(block);
    bySize.add(block);
    bytes += block.size;
    touches++;
  }

  void remove(Block block) {
    byAddress.remove(block);
    bySize.remove(block);
    bytes -= block.size;
    touches++;
  }

  /// The smallest free block of at least `size` bytes, and of those the one at the lowest address.
  @Nullable Block bestFit(long size) {
    return bySize.ceiling(new Block(0, size));
  }

  /// The free block that all of `[offset, offset + size)` lies in. Neighbouring free blocks are
  /// always merged, so a range that is free throughout lies in exactly one.
  @Nullable Block containing(long offset, long size) {
    Block floor = byAddress.floor(new Block(offset, size));
    return floor != null && floor.contains(offset, size) ? floor : null;
  }

  boolean contains(Block block) {
    return byAddress.contains(block) && bySize.contains(block);
  }

  long bytes() {
    return bytes;
  }

  long largestBytes() {
    return bySize.isEmpty() ? 0 : bySize.last().size;
  }

  int addressCount() {
    return byAddress.size();
  }

  int sizeCount() {
    return bySize.size();
  }

  /// Tree nodes visited so far, in both orders.
  long visits() {
    return byAddress.visits() + bySize.visits();
  }

  /// Blocks added and removed so far.
  long touches() {
    return touches;
  }
}
