package io.miniinference.pool;

/// A handle to a block of the pool: its place in the device buffer, valid until it is given back
/// once.
///
/// Handles compare by identity. The generation is unique within the pool, so that a log can tell
/// two owners of one place apart.
public final class Allocation implements AllocationResult, AutoCloseable {
  private final PoolCore core;
  private final Block block;
  private final long requestedBytes;
  private final long generation;
  private final String owner;
  private final boolean isAsLeft;

  Allocation(PoolCore core, Block block) {
    this.core = core;
    this.block = block;
    this.requestedBytes = block.requested;
    this.generation = block.generation;
    this.owner = block.owner;
    this.isAsLeft = block.isAsLeft;
  }

  /// First byte in the device buffer, a multiple of 256.
  public long offset() {
    return block.offset;
  }

  /// Usable bytes: what was asked for, rounded up to a multiple of 256 (more if the block was
  /// held).
  public long size() {
    return block.size;
  }

  /// Bytes asked for.
  public long requestedBytes() {
    return requestedBytes;
  }

  /// The running number of this allocation in its pool, from 1.
  public long generation() {
    return generation;
  }

  /// The label it was asked for under.
  public String owner() {
    return owner;
  }

  /// Whether its bytes are as the last owner of this label left them, since they were held
  /// meanwhile ([HeldBlocks]). Else they are anything.
  public boolean isAsLeft() {
    return isAsLeft;
  }

  /// Whether the handle still owns its bytes.
  public boolean isLive() {
    return core.isLive(this);
  }

  /// Gives the block back to the pool, like [MemoryPool#free].
  ///
  /// @throws IllegalStateException if it was given back before, or the pool is closed
  /// @throws IllegalArgumentException if it was given back before and its bytes have a new owner
  @Override
  public void close() {
    core.free(this);
  }

  PoolCore core() {
    return core;
  }

  Block block() {
    return block;
  }

  @Override
  public String toString() {
    return "allocation #"
        + generation
        + " "
        + Json.quote(owner)
        + " ["
        + offset()
        + ", "
        + block.end()
        + ")";
  }
}
