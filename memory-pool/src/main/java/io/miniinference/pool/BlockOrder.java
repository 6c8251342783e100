package io.miniinference.pool;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A set of blocks in one order, as a balanced tree that counts the nodes it visits.
final class BlockOrder {
  private final TreeSet<Block> blocks;
  private long visits;

  BlockOrder(Comparator<Block> order) {
    blocks =
        new TreeSet<>((a, b) -> {
          visits++;
          return order.compare(a, b);
        });
  }

  void add(Block block) {
    if (!blocks.add(block)) {
      throw new IllegalStateException("block " + block + " is already in the index");
    }
  }

  void remove(Block block) {
    if (!blocks.remove(block)) {
      throw new IllegalStateException("block " + block + " is not in the index");
    }
  }

  boolean contains(Block block) {
    return blocks.contains(block);
  }

  /// The first block at or after `probe` in this order.
  @Nullable Block ceiling(Block probe) {
    return blocks.ceiling(probe);
  }

  /// The last block at or before `probe` in this order.
  @Nullable Block floor(Block probe) {
    return blocks.floor(probe);
  }

  Block first() {
    return blocks.first();
  }

  Block last() {
    return blocks.last();
  }

  int size() {
    return blocks.size();
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /// Nodes visited so far: the measure of cost that tests compare with the logarithm of the blocks.
  long visits() {
    return visits;
  }
}
