package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.plan.packing.SearchLimits;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// What the caller of the [io.miniinference.plan.planner.Planner] wants.
///
/// @param maxBatch largest batch size that will run
/// @param failureBytes bytes for failure slots at each batch size, ahead of the planned values
/// @param inPlace whether steps may work in place
/// @param coalescing whether values may be built where they are copied to later
/// @param reuse whether blocks that are never live together may share bytes
/// @param search how long the exact search may go on where no greedy order is as low as can be: the
///   decisions for all batch buckets together, the time for each
/// @param ignored conditions that forbid nothing: only tests switch any off, to see that the
///   verifier then refuses the plan
public record PlanOptions(
    long maxBatch,
    Affine failureBytes,
    boolean inPlace,
    boolean coalescing,
    boolean reuse,
    SearchLimits search,
    Set<Condition> ignored) {
  /// Decisions of the exact search, unless told otherwise.
  public static final long SEARCH_NODES = 20_000;

  /// The safety net beside it.
  public static final Duration SEARCH_TIME = Duration.ofSeconds(10);

  public PlanOptions {
    if (maxBatch < 0) {
      throw new IllegalArgumentException("the maximum batch is " + maxBatch + ", below zero");
    }
    ignored = Set.copyOf(ignored);
  }

  /// Everything on, no failure slots.
  public static PlanOptions upTo(long maxBatch) {
    return new PlanOptions(maxBatch, Affine.ZERO, true, true, true, limits(SEARCH_NODES), Set.of());
  }

  public PlanOptions withFailureBytes(Affine bytes) {
    return new PlanOptions(maxBatch, bytes, inPlace, coalescing, reuse, search, ignored);
  }

  public PlanOptions withMaxBatch(long batch) {
    return new PlanOptions(batch, failureBytes, inPlace, coalescing, reuse, search, ignored);
  }

  private static SearchLimits limits(long nodes) {
    return new SearchLimits(nodes, SEARCH_TIME);
  }

  /// @param nodes most decisions of the exact search; 0 for greedy orders only
  public PlanOptions searching(long nodes) {
    return new PlanOptions(
        maxBatch, failureBytes, inPlace, coalescing, reuse, limits(nodes), ignored);
  }

  /// Every block in bytes of its own.
  public PlanOptions plain() {
    return new PlanOptions(maxBatch, failureBytes, false, false, false, search, ignored);
  }

  /// No value is built where it is copied to.
  public PlanOptions withoutCoalescing() {
    return new PlanOptions(maxBatch, failureBytes, inPlace, false, reuse, search, ignored);
  }

  /* Unsound on purpose. */
  public PlanOptions ignoring(Condition condition) {
    Set<Condition> more = EnumSet.of(condition);
    more.addAll(ignored);
    return new PlanOptions(maxBatch, failureBytes, inPlace, coalescing, reuse, search, more);
  }
}
