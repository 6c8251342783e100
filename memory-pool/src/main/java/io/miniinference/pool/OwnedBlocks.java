package io.miniinference.pool;

import java.util.ArrayList;
import java.util.List;

/// The blocks of one owner from the commit of its lease until they are closed, all at once.
public final class OwnedBlocks implements AutoCloseable {
  private final PoolCore core;
  private final String owner;
  private final List<Allocation> allocations;
  private final List<Block> evicted;

  /// Guarded by the core's lock.
  private boolean closed;

  /// @param evicted held blocks that were given back for them
  OwnedBlocks(PoolCore core, String owner, List<Allocation> allocations, List<Block> evicted) {
    this.core = core;
    this.evicted = new ArrayList<>(evicted);
    this.owner = owner;
    this.allocations = List.copyOf(allocations);
  }

  /// The owner that the lease was opened for.
  public String owner() {
    return owner;
  }

  /// The allocations, in the order in which they were made.
  public List<Allocation> allocations() {
    return allocations;
  }

  /// Bytes of all blocks together.
  public long sizeBytes() {
    return allocations.stream().mapToLong(Allocation::size).sum();
  }

  /// Gives some blocks back that turned out to be of no use. Held blocks that were given back for
  /// these are held again, as far as nobody else has taken their bytes meanwhile, as when a lease
  /// is not committed.
  ///
  /// @param useless of [#allocations]
  public void undo(List<Allocation> useless) {
    synchronized (core) {
      core.rollBack(useless, evicted);
    }
  }

  /// Gives every block back that was not given back by itself before. Closing again does nothing.
  @Override
  public void close() {
    synchronized (core) {
      if (!closed) {
        core.freeLive(allocations);
        closed = true;
      }
    }
  }
}
