package io.miniinference.pool;

/// The sums and counts of a pool, kept up to date by each operation.
final class Ledger {
  long usedBytes;
  long requestedBytes;
  long peakUsedBytes;
  int usedBlocks;
  long allocations;
  long frees;
  long refusedOverCapacity;
  long refusedNothingContiguous;
  long heldHits;
  long heldMisses;
  long evictions;

  /// Books a block that got a handle; an empty allocation is a request granted, but no block.
  void taken(Block block) {
    usedBytes += block.size;
    requestedBytes += block.requested;
    usedBlocks += block.size == 0 ? 0 : 1;
    allocations++;
    peakUsedBytes = Math.max(peakUsedBytes, usedBytes);
  }

  void returned(Block block) {
    usedBytes -= block.size;
    requestedBytes -= block.requested;
    usedBlocks -= block.size == 0 ? 0 : 1;
    frees++;
  }

  void refused(Refusal.Reason reason) {
    switch (reason) {
      case OVER_CAPACITY -> refusedOverCapacity++;
      case NOTHING_CONTIGUOUS -> refusedNothingContiguous++;
    }
  }

  PoolStatistics statistics(Tiling tiling, HeldList held) {
    return new PoolStatistics(
        tiling.capacity,
        usedBytes,
        held.bytes(),
        tiling.free.bytes(),
        requestedBytes,
        peakUsedBytes,
        tiling.free.largestBytes(),
        usedBlocks,
        held.ageCount(),
        tiling.free.addressCount(),
        events(tiling));
  }

  private PoolStatistics.Events events(Tiling tiling) {
    return new PoolStatistics.Events(
        allocations,
        frees,
        refusedOverCapacity,
        refusedNothingContiguous,
        tiling.splits(),
        tiling.coalescings(),
        heldHits,
        heldMisses,
        evictions);
  }
}
