package io.miniinference.pool;

import java.util.ArrayList;
import java.util.List;

/// A best-fit pool over one device buffer of fixed capacity: it hands out byte offsets and never
/// touches the device (RFC 0002, with block headers on the host).
///
/// - **Best fit**: a request takes the smallest free block that is large enough, the lowest address
///   among equals. All sizes are rounded up to multiples of 256 bytes, and so are all offsets.
/// - **Splitting**: the RFC splits a block that is "significantly larger" than the request. Here
///   that means *by 256 bytes or more*, the smallest block there is: since headers cost no device
///   memory, every remainder is a useful block, and since all sizes are multiples of 256, no block
///   keeps bytes that it does not need. So what a plan adds up to is what the pool spends.
/// - **Coalescing**: a freed block merges with free neighbours at once; no two free blocks ever
///   touch.
/// - **Zero bytes**: a request for 0 bytes is granted without a block (offset 0, size 0, no bytes
///   used); its handle is given back once like any other. A negative size is an
///   [IllegalArgumentException].
/// - **Errors**: over capacity or nothing contiguous is a [Refusal]; giving a handle back twice is
///   an [IllegalStateException]; a handle of another pool, or one whose bytes have a new owner
///   since, is an [IllegalArgumentException].
/// - **Threads**: every method may be called by any thread; one lock, held for O(log n) in the
///   number of blocks. Only diagnostics ([#memoryMap], [#validateIntegrity], [#close]) and requests
///   for which held blocks must be given back look at more blocks.
/// - **Moving**: [#transfer] moves the pool to a new object, as the RFC's move constructor does.
///   The old object is unusable then; handles, leases and held blocks stay valid.
public final class MemoryPool implements AutoCloseable {
  /// All offsets and sizes are multiples of this many bytes.
  public static final long ALIGNMENT_BYTES = Alignment.BYTES;

  private final PoolCore core;

  /// Guarded by the core's lock.
  private boolean moved;

  /// A pool that manages `[0, capacityBytes)` of a device buffer.
  ///
  /// @param capacityBytes at least 256; what it exceeds a multiple of 256 by is left unused
  public MemoryPool(long capacityBytes) {
    this(new PoolCore(usable(capacityBytes)));
  }

  private MemoryPool(PoolCore core) {
    this.core = core;
  }

  private static long usable(long capacityBytes) {
    if (capacityBytes < Alignment.BYTES) {
      throw new IllegalArgumentException(
          "pool capacity " + capacityBytes + " bytes is too small: give it at least 256");
    }
    return Alignment.roundDown(capacityBytes);
  }

  /// Allocates without a label; see [#allocate(long, String)].
  public AllocationResult allocate(long bytes) {
    return allocate(bytes, "");
  }

  /// Allocates `bytes` bytes. Held blocks are given back, least recently used first, before the
  /// request is refused.
  ///
  /// @param bytes bytes wanted, 0 or more
  /// @param owner who wants them: shown in memory maps, refusals and lists of leaks
  /// @return an [Allocation], or a [Refusal] that has changed nothing
  public AllocationResult allocate(long bytes, String owner) {
    synchronized (core) {
      return owned().allocate(bytes, owner, new ArrayList<>(0));
    }
  }

  /// Gives an allocation back.
  ///
  /// @throws IllegalStateException if it was given back before (the RFC's double free)
  /// @throws IllegalArgumentException if it is of another pool, or was given back before and its
  ///   bytes have a new owner since (the RFC's invalid pointer)
  public void free(Allocation allocation) {
    synchronized (core) {
      owned().free(allocation);
    }
  }

  /// Opens a transaction for the allocations of one owner, such as the load of a model.
  ///
  /// @param owner prefix of the labels of what it allocates
  public Lease lease(String owner) {
    return new Lease(core(), owner);
  }

  /// Bytes that the pool manages: a multiple of 256.
  public long capacity() {
    return core().capacity();
  }

  /// The figures at this moment.
  public PoolStatistics statistics() {
    synchronized (core) {
      return owned().statistics();
    }
  }

  /// All blocks at this moment, in address order.
  public MemoryMap memoryMap() {
    synchronized (core) {
      return owned().memoryMap();
    }
  }

  /// Checks that the blocks tile the capacity without gap or overlap, that no two free blocks
  /// touch, that the indices hold exactly the blocks that they should, and that all sums agree.
  ///
  /// @throws IllegalStateException listing everything that is wrong; it means a defect in the pool
  public void validateIntegrity() {
    synchronized (core) {
      owned().validateIntegrity();
    }
  }

  /// Moves the pool to the returned object. This one is unusable from now on, except that closing
  /// it does nothing.
  public MemoryPool transfer() {
    synchronized (core) {
      MemoryPool successor = new MemoryPool(owned());
      moved = true;
      return successor;
    }
  }

  /// Ends the pool: everything but [#isClosed] and [#leaks] fails from now on, also through handles
  /// and leases. Closing again, or closing a pool that has moved, does nothing.
  @Override
  public void close() {
    synchronized (core) {
      if (!moved) {
        core.close();
      }
    }
  }

  /// Whether the pool was closed.
  public boolean isClosed() {
    return core.isClosed();
  }

  /// The blocks that were still used when the pool was closed; empty while it is open.
  public List<MemoryMap.Entry> leaks() {
    return core.leaks();
  }

  /// The core, for the package's own callers.
  PoolCore core() {
    synchronized (core) {
      return owned();
    }
  }

  private PoolCore owned() {
    if (moved) {
      throw new IllegalStateException(
          "the memory pool has moved: use the object that transfer() returned");
    }
    return core;
  }
}
