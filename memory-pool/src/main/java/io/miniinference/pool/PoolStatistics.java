package io.miniinference.pool;

/// The pool's figures at one moment. `usedBytes + heldBytes + freeBytes == capacityBytes`, always.
///
/// @param capacityBytes bytes that the pool manages
/// @param usedBytes bytes of the blocks that live handles own, rounding included
/// @param heldBytes bytes kept under tags for the next request of their kind; neither used nor free
/// @param freeBytes bytes that belong to nobody
/// @param requestedBytes bytes that the owners of the used blocks asked for
/// @param peakUsedBytes most bytes ever used at once
/// @param largestFreeBytes the largest request that would succeed without giving held blocks back
/// @param usedBlocks blocks with a live handle
/// @param heldBlocks blocks held under a tag
/// @param freeBlocks free blocks
/// @param events what has happened so far
public record PoolStatistics(
    long capacityBytes,
    long usedBytes,
    long heldBytes,
    long freeBytes,
    long requestedBytes,
    long peakUsedBytes,
    long largestFreeBytes,
    int usedBlocks,
    int heldBlocks,
    int freeBlocks,
    Events events) {

  /// Counts since the pool was made.
  ///
  /// @param allocations requests that were granted, from held blocks too
  /// @param frees handles given back, to the free list or to their tag
  /// @param refusedOverCapacity requests larger than the whole pool
  /// @param refusedNothingContiguous requests for which no free block was large enough
  /// @param splits free pieces cut off a larger block
  /// @param coalescings neighbours merged into a freed block
  /// @param heldHits requests by tag served by a held block
  /// @param heldMisses requests by tag that went to the free list
  /// @param evictions held blocks given back to the free list for others
  public record Events(
      long allocations,
      long frees,
      long refusedOverCapacity,
      long refusedNothingContiguous,
      long splits,
      long coalescings,
      long heldHits,
      long heldMisses,
      long evictions) {}

  /// The used share of the capacity, from 0 to 1.
  public double utilization() {
    return (double) usedBytes / capacityBytes;
  }

  /// External fragmentation, `1 - largest free / free`: 0 when all free bytes lie together (or none
  /// are free), towards 1 when they lie in many small pieces. Held bytes do not count.
  public double fragmentationRatio() {
    return freeBytes == 0 ? 0 : 1 - (double) largestFreeBytes / freeBytes;
  }

  /// Used bytes that nobody asked for: rounding, and what a held block is larger than its request.
  public long paddingBytes() {
    return usedBytes - requestedBytes;
  }
}
