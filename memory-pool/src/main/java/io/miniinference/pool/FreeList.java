package io.miniinference.pool;

import org.jspecify.annotations.Nullable;

/// The free blocks, by address (the RFC's free list) and by size (for best fit).
final class FreeList {
  private final BlockOrder byAddress = new BlockOrder();
  private final BlockOrder bySize = new BlockOrder();
  private long bytes;
  private long touches;

  void add(Block block) {
    block.byPlace = byAddress.add(block, block.offset, 0);
    enter(block);
  }

  void remove(Block block) {
    byAddress.remove(place(block));
    leave(block);
  }

  /// Puts a block in the place of another one, with no third between them: what is left of it, or
  /// what it has grown to. The order by address stays as it is.
  void replace(Block old, Block block) {
    BlockOrder.Node place = place(old);
    leave(old);
    byAddress.replace(place, block, block.offset);
    block.byPlace = place;
    enter(block);
  }

  private static BlockOrder.Node place(Block block) {
    return listed(block.byPlace, block);
  }

  private static BlockOrder.Node listed(BlockOrder.@Nullable Node node, Block block) {
    if (node == null) {
      throw new IllegalStateException("block " + block + " is not in the free list");
    }
    return node;
  }

  private void enter(Block block) {
    block.bySize = bySize.add(block, block.size, block.offset);
    bytes += block.size;
    touches++;
  }

  private void leave(Block block) {
    bySize.remove(listed(block.bySize, block));
    block.byPlace = null;
    block.bySize = null;
    bytes -= block.size;
    touches++;
  }

  /// The smallest free block of at least `size` bytes, and of those the one at the lowest address.
  @Nullable Block bestFit(long size) {
    return bySize.ceiling(size, 0);
  }

  /// The free block that all of `[offset, offset + size)` lies in. Neighbouring free blocks are
  /// always merged, so a range that is free throughout lies in exactly one.
  @Nullable Block containing(long offset, long size) {
    Block floor = byAddress.floor(offset);
    return floor != null && floor.contains(offset, size) ? floor : null;
  }

  /// Whether a block has been added and not removed or replaced since.
  boolean lists(Block block) {
    return block.byPlace != null;
  }

  /// Whether a block is where it belongs in both orders.
  boolean contains(Block block) {
    return byAddress.contains(block.byPlace, block) && bySize.contains(block.bySize, block);
  }

  long bytes() {
    return bytes;
  }

  long largestBytes() {
    Block largest = bySize.last();
    return largest == null ? 0 : largest.size;
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
