package io.miniinference.pool;

import org.jspecify.annotations.Nullable;

/// A stretch of the pool's address space: free, used by a handle, or held under a tag.
///
/// This is the RFC's block header, kept on the host. Place and size never change: splitting and
/// coalescing replace blocks, so that the keys of the ordered indices cannot move under them.
final class Block {
  final long offset;
  final long size;

  /// The neighbours in address order; a block that is in no tiling points at itself.
  Block prev = this;

  Block next = this;

  /// The places of a free block in the orders by address and by size, and of a held one in those by
  /// age and by size under its tag.
  BlockOrder.@Nullable Node byPlace;

  BlockOrder.@Nullable Node bySize;

  BlockState state = BlockState.FREE;

  /// Bytes that the holder asked for; at most `size`.
  long requested;

  /// The generation of the handle that uses this block, or 0.
  long generation;

  /// The owner's label while used, and the tag while held.
  String owner = "";

  /// The pool's tick at which the block was put aside; orders held blocks by age.
  long heldSince;

  /// Whether nobody had its bytes since it was put aside.
  boolean isAsLeft;

  Block(long offset, long size) {
    this.offset = offset;
    this.size = size;
  }

  long end() {
    return offset + size;
  }

  boolean isFree() {
    return state == BlockState.FREE;
  }

  boolean contains(long start, long bytes) {
    return offset <= start && start + bytes <= end();
  }

  @Override
  public String toString() {
    return state + " [" + offset + ", " + end() + ")";
  }
}
