package io.miniinference.pool;

/// The pool's address space, cut without gaps into blocks in address order, the free ones indexed.
///
/// The blocks form a ring through a sentinel that is never free, so that the first and the last
/// block coalesce like any other.
final class Tiling {
  final long capacity;
  final FreeList free = new FreeList();
  private final Block ring;
  private int blocks = 1;
  private long splits;
  private long coalescings;

  Tiling(long capacity) {
    this.capacity = capacity;
    ring = new Block(capacity, 0);
    ring.state = BlockState.USED;
    Block whole = new Block(0, capacity);
    link(ring, whole);
    link(whole, ring);
    free.add(whole);
  }

  private static void link(Block left, Block right) {
    left.next = right;
    right.prev = left;
  }

  /// Cuts a replaced block off, so that an old handle to it keeps no other block reachable.
  private static void unlink(Block block) {
    block.prev = block;
    block.next = block;
  }

  /// Puts `block` in the place of the part of `container` that it covers; what is left of the
  /// container on either side stays free.
  void carve(Block container, Block block) {
    Block left = leave(container, container.prev, container.offset, block.offset);
    link(left, block);
    Block right = leave(container, block, block.end(), container.end());
    link(right, container.next);
    if (free.lists(container)) {
      free.remove(container);
    }
    unlink(container);
  }

  /// Appends the rest `[start, end)` of a container after `before`, unless it would be empty; the
  /// new last one. The first rest takes over the container's place in the free list.
  private Block leave(Block container, Block before, long start, long end) {
    if (start == end) {
      return before;
    }
    Block rest = new Block(start, end - start);
    link(before, rest);
    if (free.lists(container)) {
      free.replace(container, rest);
    } else {
      free.add(rest);
    }
    blocks++;
    splits++;
    return rest;
  }

  /// Makes `block` free and merges it with its free neighbours; the free block that comes of it.
  Block giveBack(Block block) {
    block.state = BlockState.FREE;
    Block left = block.prev.isFree() ? absorb(block.prev) : block;
    Block right = block.next.isFree() ? absorb(block.next) : block;
    Block merged = new Block(left.offset, right.end() - left.offset);
    link(left.prev, merged);
    link(merged, right.next);
    list(merged, left, block, right);
    unlink(left);
    unlink(block);
    unlink(right);
    return merged;
  }

  private Block absorb(Block neighbour) {
    blocks--;
    coalescings++;
    return neighbour;
  }

  /// Lists a merged block in the place of a free neighbour, if it had one.
  private void list(Block merged, Block left, Block block, Block right) {
    if (left != block && right != block) {
      free.remove(right);
    }
    if (left != block) {
      free.replace(left, merged);
    } else if (right != block) {
      free.replace(right, merged);
    } else {
      free.add(merged);
    }
  }

  /// Bytes at the end of the pool that no handle uses.
  long unusedTail() {
    Block block = ring.prev;
    while (block != ring && block.state != BlockState.USED) {
      block = block.prev;
    }
    return capacity - (block == ring ? 0 : block.end());
  }

  /// The sentinel: its `next` is the first block and its `prev` the last.
  Block ring() {
    return ring;
  }

  int blocks() {
    return blocks;
  }

  long splits() {
    return splits;
  }

  long coalescings() {
    return coalescings;
  }
}
