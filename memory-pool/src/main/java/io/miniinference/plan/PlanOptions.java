package io.miniinference.plan;

import io.miniinference.layout.Affine;

/// What the caller of the [Planner] wants.
///
/// @param maxBatch largest batch size that will run
/// @param failureBytes bytes for failure slots at each batch size, behind the planned values
/// @param inPlace whether steps may work in place
/// @param reuse whether blocks that are never live together may share bytes
public record PlanOptions(long maxBatch, Affine failureBytes, boolean inPlace, boolean reuse) {
  public PlanOptions {
    if (maxBatch < 0) {
      throw new IllegalArgumentException("the maximum batch is " + maxBatch + ", below zero");
    }
  }

  /// Everything on, no failure slots.
  public static PlanOptions upTo(long maxBatch) {
    return new PlanOptions(maxBatch, Affine.ZERO, true, true);
  }

  public PlanOptions withFailureBytes(Affine bytes) {
    return new PlanOptions(maxBatch, bytes, inPlace, reuse);
  }

  public PlanOptions withMaxBatch(long batch) {
    return new PlanOptions(batch, failureBytes, inPlace, reuse);
  }

  /// Every block in bytes of its own.
  public PlanOptions plain() {
    return new PlanOptions(maxBatch, failureBytes, false, false);
  }
}
