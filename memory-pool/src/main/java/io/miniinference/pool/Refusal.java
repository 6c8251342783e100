package io.miniinference.pool;

/// Why a request got no memory, with the figures at that moment. A refusal leaves the pool as it
/// was.
///
/// @param reason which of the RFC's two conditions it was
/// @param owner the label of the request
/// @param requestedBytes bytes asked for
/// @param roundedBytes bytes a block for it needs: the next multiple of 256
/// @param smallestCapacityBytes the smallest capacity with which the request would have been
///   granted, the used blocks lying where they lie and the held ones given back
/// @param pool the pool's figures
public record Refusal(
    Reason reason,
    String owner,
    long requestedBytes,
    long roundedBytes,
    long smallestCapacityBytes,
    PoolStatistics pool)
    implements AllocationResult {

  /// The RFC's two conditions for an empty result.
  public enum Reason {
    /// The request is larger than the whole pool.
    OVER_CAPACITY,
    /// No run of free bytes is long enough, even with every held block given back.
    NOTHING_CONTIGUOUS
  }

  /// Bytes that were free.
  public long freeBytes() {
    return pool.freeBytes();
  }

  /// The largest free block there was, in bytes.
  public long largestFreeBytes() {
    return pool.largestFreeBytes();
  }

  /// What was refused, why, and what would help.
  public String message() {
    return switch (reason) {
      case OVER_CAPACITY ->
          asked() + " more than the pool's whole capacity of " + capacity() + remedy("Raise");
      case NOTHING_CONTIGUOUS ->
          asked()
              + " and no free run of that length: "
              + figures()
              + remedy("Free memory or raise");
    };
  }

  private String asked() {
    return Json.quote(owner)
        + " asked for "
        + requestedBytes
        + " bytes ("
        + roundedBytes
        + " in blocks of 256),";
  }

  private String capacity() {
    return pool.capacityBytes() + " bytes";
  }

  private String figures() {
    return "of "
        + capacity()
        + " "
        + pool.usedBytes()
        + " are used, "
        + pool.heldBytes()
        + " held, "
        + pool.freeBytes()
        + " free, "
        + pool.largestFreeBytes()
        + " in the largest piece";
  }

  private String remedy(String verb) {
    return ". " + verb + " the pool's capacity to at least " + smallestCapacityBytes + " bytes.";
  }
}
