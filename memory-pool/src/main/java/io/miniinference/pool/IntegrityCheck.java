package io.miniinference.pool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// One pass over all blocks of a pool that collects everything that is not as it must be.
final class IntegrityCheck {
  private final Tiling tiling;
  private final HeldList held;
  private final Ledger ledger;
  private final long lastGeneration;
  private final List<String> problems = new ArrayList<>();
  private final Set<Long> generations = new HashSet<>();
  private final Sums free = new Sums();
  private final Sums holding = new Sums();
  private final Sums used = new Sums();

  /// Blocks of one state.
  private static final class Sums {
    int blocks;
    long bytes;
    long requested;

    void add(Block block) {
      blocks++;
      bytes += block.size;
      requested += block.requested;
    }
  }

  IntegrityCheck(Tiling tiling, HeldList held, Ledger ledger, long lastGeneration) {
    this.tiling = tiling;
    this.held = held;
    this.ledger = ledger;
    this.lastGeneration = lastGeneration;
  }

  /// @throws IllegalStateException with all problems, if there are any
  void run() {
    walk();
    checkSums();
    if (!problems.isEmpty()) {
      throw new IllegalStateException(
          "the memory pool is corrupt (" + problems.size() + "): " + String.join("; ", problems));
    }
  }

  /// Goes round the ring; a broken link could make it endless, so it stops at the block count.
  private void walk() {
    Block ring = tiling.ring();
    long end = 0;
    int seen = 0;
    for (Block block = ring.next; block != ring && seen <= tiling.blocks(); block = block.next) {
      checkPlace(block, end);
      checkState(block);
      end = block.end();
      seen++;
    }
    require(ring.prev.next == ring, () -> "the last block does not close the ring");
    equal("end of the last block", tiling.capacity, end);
    equal("blocks", tiling.blocks(), seen);
  }

  private void checkPlace(Block block, long start) {
    require(block.offset == start, () -> block + " should start at " + start);
    require(block.next.prev == block, () -> block + " is not the previous block of its next");
    require(block.size > 0, () -> block + " is empty");
    require(Alignment.roundDown(block.offset) == block.offset, () -> block + " starts unaligned");
    require(Alignment.roundDown(block.size) == block.size, () -> block + " has an unaligned size");
  }

  private void checkState(Block block) {
    switch (block.state) {
      case FREE -> checkFree(block);
      case HELD -> checkHeld(block);
      case USED -> checkUsed(block);
    }
  }

  private void checkFree(Block block) {
    free.add(block);
    require(!block.next.isFree(), () -> block + " and " + block.next + " are free and not merged");
    require(tiling.free.contains(block), () -> block + " is missing from the free list");
    require(block.generation == 0 && block.requested == 0, () -> block + " still has an owner");
  }

  private void checkHeld(Block block) {
    holding.add(block);
    require(held.contains(block), () -> block + " is missing from the held blocks");
    require(block.generation == 0 && block.requested == 0, () -> block + " still has an owner");
  }

  private void checkUsed(Block block) {
    used.add(block);
    boolean issued = block.generation > 0 && block.generation <= lastGeneration;
    require(issued, () -> block + " has generation " + block.generation + ", never issued");
    require(generations.add(block.generation), () -> block + " shares its generation");
    require(
        block.requested > 0 && block.requested <= block.size,
        () -> block + " serves a request of " + block.requested + " bytes");
  }

  private void checkSums() {
    equal("free blocks by address", tiling.free.addressCount(), free.blocks);
    equal("free blocks by size", tiling.free.sizeCount(), free.blocks);
    equal("free bytes", tiling.free.bytes(), free.bytes);
    equal("held blocks by tag", held.tagCount(), holding.blocks);
    equal("held blocks by age", held.ageCount(), holding.blocks);
    equal("held bytes", held.bytes(), holding.bytes);
    equal("used blocks", ledger.usedBlocks, used.blocks);
    equal("used bytes", ledger.usedBytes, used.bytes);
    equal("requested bytes", ledger.requestedBytes, used.requested);
    equal("bytes of all blocks", tiling.capacity, free.bytes + holding.bytes + used.bytes);
    require(ledger.peakUsedBytes >= ledger.usedBytes, () -> "the peak is below what is used now");
  }

  private void equal(String what, long recorded, long counted) {
    require(recorded == counted, () -> what + ": recorded " + recorded + ", counted " + counted);
  }

  private void require(boolean holds, Supplier<String> problem) {
    if (!holds) {
      problems.add(problem.get());
    }
  }
}
