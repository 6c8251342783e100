package io.miniinference.pool;

import java.util.ArrayList;
import java.util.List;

/// A transaction over the allocations of one owner: all of them are kept by [#commit], or all of
/// them are given back by [#close].
///
/// ```
/// try (Lease lease = pool.lease("mnist-cnn")) {
///   Allocation weights = lease.allocate(weightBytes, "weights").orThrow();
///   Allocation arena = lease.allocate(arenaBytes, "arena").orThrow();
///   // upload, build, warm up: an exception here gives everything back
///   return lease.commit();
/// }
/// ```
///
/// After a rollback the pool's blocks are what they were before the lease, byte for byte: held
/// blocks that were given back for it are held again, as far as nobody else has taken their bytes
/// meanwhile.
public final class Lease implements AutoCloseable {
  private final PoolCore core;
  private final String owner;
  private final List<Allocation> allocations = new ArrayList<>();
  private final List<Block> evicted = new ArrayList<>();
  private boolean refused;
  private boolean ended;

  Lease(PoolCore core, String owner) {
    this.core = core;
    this.owner = owner;
  }

  /// Allocates for the owner. A refusal dooms the lease: it cannot be committed.
  ///
  /// @param bytes bytes wanted, 0 or more
  /// @param label what for; the block is labelled `owner/label`
  public AllocationResult allocate(long bytes, String label) {
    synchronized (core) {
      AllocationResult result = allocateOptional(bytes, label);
      refused |= result instanceof Refusal;
      return result;
    }
  }

  /// Allocates something that the owner can do without, such as a second layout of its weights.
  public AllocationResult allocateOptional(long bytes, String label) {
    synchronized (core) {
      requireOpen();
      AllocationResult result = core.allocate(bytes, owner + "/" + label, evicted);
      if (result instanceof Allocation allocation) {
        allocations.add(allocation);
      }
      return result;
    }
  }

  /// Keeps everything, and ends the lease.
  ///
  /// @return the blocks, to be closed when the owner goes
  /// @throws IllegalStateException if a required allocation was refused
  public OwnedBlocks commit() {
    synchronized (core) {
      requireOpen();
      if (refused) {
        throw new IllegalStateException(
            "the lease of " + Json.quote(owner) + " had a refusal: close it, which gives all back");
      }
      ended = true;
      return new OwnedBlocks(core, owner, allocations, evicted);
    }
  }

  /// Gives everything back unless the lease was committed. Closing again does nothing.
  @Override
  public void close() {
    synchronized (core) {
      if (!ended) {
        ended = true;
        core.rollBack(allocations, evicted);
      }
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException(
          "the lease of " + Json.quote(owner) + " has ended: open another one");
    }
  }
}
