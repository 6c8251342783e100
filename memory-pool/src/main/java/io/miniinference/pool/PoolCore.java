package io.miniinference.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a pool consists of, and its one lock: the monitor of this object, which no caller can
/// reach.
///
/// Handles, leases and held blocks refer to the core, so that they survive a move of the pool to a
/// new [MemoryPool]. Nothing in here blocks, calls out or touches the device.
final class PoolCore {
  private final Tiling tiling;
  private final HeldList held = new HeldList();
  private final Ledger ledger = new Ledger();
  private long lastGeneration;
  private long ticks;
  private long heldLimitBytes;
  private boolean holding;
  private boolean closed;
  private List<MemoryMap.Entry> leaks = List.of();

  PoolCore(long capacity) {
    tiling = new Tiling(capacity);
  }

  /// Allocates, giving held blocks back if that helps.
  ///
  /// @param evicted where to note the held blocks that were given back, oldest first
  synchronized AllocationResult allocate(long bytes, String owner, List<Block> evicted) {
    requireOpen();
    requireSize(bytes, owner);
    if (bytes == 0) {
      return hand(new Block(0, 0), 0, owner);
    }
    long rounded = Alignment.roundUp(bytes);
    if (rounded > tiling.capacity) {
      return refuse(Refusal.Reason.OVER_CAPACITY, bytes, owner);
    }
    Block fit = tiling.free.bestFit(rounded);
    if (fit == null) {
      fit = evictFor(rounded, evicted);
    }
    if (fit == null) {
      return refuse(Refusal.Reason.NOTHING_CONTIGUOUS, bytes, owner);
    }
    Block block = new Block(fit.offset, rounded);
    tiling.carve(fit, block);
    return hand(block, bytes, owner);
  }

  private Allocation hand(Block block, long requested, String owner) {
    block.state = BlockState.USED;
    block.requested = requested;
    block.owner = owner;
    block.generation = ++lastGeneration;
    ledger.taken(block);
    return new Allocation(this, block);
  }

  private Refusal refuse(Refusal.Reason reason, long bytes, String owner) {
    ledger.refused(reason);
    long rounded = Alignment.roundUp(bytes);
    long usedPart = tiling.capacity - tiling.unusedTail();
    long smallest = rounded > Long.MAX_VALUE - usedPart ? Long.MAX_VALUE : usedPart + rounded;
    return new Refusal(reason, owner, bytes, rounded, smallest, statistics());
  }

  /// Gives held blocks back, least recently used first, until `rounded` bytes are free in one
  /// piece. If all of them would not do, none is given back.
  private @Nullable Block evictFor(long rounded, List<Block> evicted) {
    if (tiling.free.bytes() + held.bytes() < rounded) {
      return null;
    }
    int before = evicted.size();
    for (Block oldest = held.oldest(); oldest != null; oldest = held.oldest()) {
      evicted.add(oldest);
      Block merged = evict(oldest);
      if (merged.size >= rounded) {
        return merged;
      }
    }
    restore(evicted.subList(before, evicted.size()));
    return null;
  }

  private Block evict(Block block) {
    held.remove(block);
    ledger.evictions++;
    return tiling.giveBack(block);
  }

  /// Holds evicted blocks again, as they were, where their bytes are still free.
  private void restore(List<Block> evicted) {
    for (Block block : evicted.reversed()) {
      Block container = tiling.free.containing(block.offset, block.size);
      if (container != null && roomToHold(block)) {
        tiling.carve(container, block);
        hold(block);
        ledger.evictions--;
      }
    }
    evicted.clear();
  }

  private boolean roomToHold(Block block) {
    return holding && block.size <= heldLimitBytes - held.bytes();
  }

  private void hold(Block block) {
    block.state = BlockState.HELD;
    held.add(block);
  }

  synchronized void free(Allocation handle) {
    requireOpen();
    requireLive(handle);
    takeBack(handle.block());
  }

  /// Ends the handle's ownership and frees the bytes; an empty allocation has none.
  private void takeBack(Block block) {
    end(block);
    if (block.size == 0) {
      block.state = BlockState.FREE;
    } else {
      tiling.giveBack(block);
    }
  }

  private void end(Block block) {
    ledger.returned(block);
    block.generation = 0;
    block.requested = 0;
  }

  synchronized boolean isLive(Allocation handle) {
    return !closed && owns(handle);
  }

  private static boolean owns(Allocation handle) {
    return handle.block().generation == handle.generation();
  }

  private void requireLive(Allocation handle) {
    if (handle.core() != this) {
      throw new IllegalArgumentException(
          handle + " is of another pool: free it in the pool that it came from");
    }
    if (owns(handle)) {
      return;
    }
    if (isUnclaimed(handle.block())) {
      throw new IllegalStateException(handle + " was already given back: free each handle once");
    }
    throw new IllegalArgumentException(
        handle + " is stale: it was given back, and its bytes have a new owner since");
  }

  /// Whether nobody got the block's bytes since its last handle ended.
  private boolean isUnclaimed(Block block) {
    return block.state == BlockState.HELD
        || block.size == 0
        || (block.isFree() && tiling.free.containing(block.offset, block.size) != null);
  }

  synchronized void startHolding(long limitBytes) {
    requireOpen();
    if (holding) {
      throw new IllegalStateException("the pool already holds blocks: close its HeldBlocks first");
    }
    holding = true;
    heldLimitBytes = limitBytes;
  }

  synchronized void stopHolding() {
    requireOpen();
    shrinkHeldTo(0);
    holding = false;
    heldLimitBytes = 0;
  }

  synchronized void giveBackHeld(String tag) {
    requireOpen();
    for (Block block = held.smallest(tag); block != null; block = held.smallest(tag)) {
      held.remove(block);
      tiling.giveBack(block);
    }
  }

  private void shrinkHeldTo(long bytes) {
    for (Block oldest = held.oldest();
        oldest != null && held.bytes() > bytes;
        oldest = held.oldest()) {
      evict(oldest);
    }
  }

  synchronized AllocationResult acquire(String tag, long bytes) {
    requireOpen();
    requireSize(bytes, tag);
    Block block = bytes == 0 ? null : held.fitting(tag, Alignment.roundUp(bytes));
    if (block == null) {
      ledger.heldMisses++;
      return allocate(bytes, tag, new ArrayList<>());
    }
    ledger.heldHits++;
    held.remove(block);
    return hand(block, bytes, tag);
  }

  /// Ends the handle and keeps its block under its label, oldest held blocks making room.
  synchronized void release(Allocation handle) {
    requireOpen();
    requireLive(handle);
    Block block = handle.block();
    if (block.size == 0 || block.size > heldLimitBytes) {
      takeBack(block);
      return;
    }
    shrinkHeldTo(heldLimitBytes - block.size);
    end(block);
    block.heldSince = ++ticks;
    block.isAsLeft = true;
    hold(block);
  }

  /// Gives back those of `handles` that are still live, and holds again what was evicted for them,
  /// whose bytes they may have written over.
  synchronized void rollBack(List<Allocation> handles, List<Block> evicted) {
    freeLive(handles);
    evicted.forEach(block -> block.isAsLeft = false);
    restore(evicted);
  }

  /// Gives back those of `handles` that are still live.
  synchronized void freeLive(List<Allocation> handles) {
    requireOpen();
    for (Allocation handle : handles.reversed()) {
      if (owns(handle)) {
        takeBack(handle.block());
      }
    }
  }

  long capacity() {
    return tiling.capacity;
  }

  synchronized PoolStatistics statistics() {
    requireOpen();
    return ledger.statistics(tiling, held);
  }

  synchronized MemoryMap memoryMap() {
    requireOpen();
    return new MemoryMap(tiling.capacity, entries(block -> true));
  }

  private List<MemoryMap.Entry> entries(Predicate<Block> wanted) {
    List<MemoryMap.Entry> entries = new ArrayList<>();
    for (Block block = tiling.ring().next; block != tiling.ring(); block = block.next) {
      if (wanted.test(block)) {
        entries.add(MemoryMap.Entry.of(block));
      }
    }
    return entries;
  }

  synchronized void validateIntegrity() {
    requireOpen();
    new IntegrityCheck(tiling, held, ledger, lastGeneration).run();
  }

  synchronized void close() {
    if (!closed) {
      leaks = entries(block -> block.state == BlockState.USED);
      closed = true;
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized List<MemoryMap.Entry> leaks() {
    return leaks;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the memory pool is closed");
    }
  }

  private static void requireSize(long bytes, String owner) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          Json.quote(owner) + " asked for " + bytes + " bytes: a size cannot be negative");
    }
  }

  /// The insides, for tests that count visits or break something on purpose.
  Tiling tiling() {
    return tiling;
  }

  HeldList held() {
    return held;
  }

  Ledger ledger() {
    return ledger;
  }
}
