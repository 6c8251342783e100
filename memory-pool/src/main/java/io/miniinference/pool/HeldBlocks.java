package io.miniinference.pool;

/// A layer over a pool that keeps released blocks under a tag for the next request of that kind.
///
/// Tags work because requests of one origin tend to repeat their size (Troels Henriksen, "How
/// Futhark manages GPU memory", 2018). In the steady state an acquire and its release touch no free
/// list. Three things differ from Futhark:
///
/// - A tag may hold several blocks, so kinds whose sizes alternate do not chase each other out.
/// - A block is taken only by its own tag, and only if it is under 4096 bytes or at most twice what
///   is asked for. Blocks of other tags are not borrowed: unlike a `cl_mem`, a held block can be
///   given back, merged and cut to size, which serves the request with no waste.
/// - Held bytes are counted, and limited. They are given back least recently used first, when the
///   limit is reached and before any request to the pool is refused, plain allocations and leases
///   included.
///
/// A pool has at most one of these open. All methods may be called by any thread.
public final class HeldBlocks implements AutoCloseable {
  private final PoolCore core;

  /// Guarded by the core's lock.
  private boolean closed;

  /// Starts holding blocks in `pool`.
  ///
  /// @param limitBytes most bytes to hold at once; larger blocks go straight back to the pool
  /// @throws IllegalStateException if the pool already has one
  public HeldBlocks(MemoryPool pool, long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "limit of held bytes is " + limitBytes + ": give 0 (hold nothing) or more");
    }
    this.core = pool.core();
    core.startHolding(limitBytes);
  }

  /// Takes a block held under `tag` that fits `bytes`, or allocates one from the pool.
  ///
  /// @param tag where the request comes from; it becomes the owner's label
  /// @param bytes bytes wanted, 0 or more
  public AllocationResult acquire(String tag, long bytes) {
    synchronized (core) {
      if (closed) {
        throw new IllegalStateException("these held blocks are closed: allocate from the pool");
      }
      return core.acquire(tag, bytes);
    }
  }

  /// Ends an allocation and keeps its block under the label it was asked for with. The oldest held
  /// blocks make room if the limit requires it. Once these held blocks are closed, the block goes
  /// back to the pool instead.
  ///
  /// @throws IllegalStateException if it was given back before
  /// @throws IllegalArgumentException if it is of another pool, or stale
  public void release(Allocation allocation) {
    core.release(allocation);
  }

  /// Gives the blocks that are held under `tag` back to the pool: no further request comes from
  /// there. A block that is released under it later is held again.
  public void giveBack(String tag) {
    core.giveBackHeld(tag);
  }

  /// Gives all held blocks back to the pool and stops holding. Closing again does nothing.
  @Override
  public void close() {
    synchronized (core) {
      if (!closed) {
        core.stopHolding();
        closed = true;
      }
    }
  }
}
