package io.miniinference.runtime;

import io.miniinference.plan.PlanOptions;

/// How memory is planned.
///
/// @param sharing whether tensors may share memory: by being built in their destination, in place,
///   or at different times. Without, each has bytes of its own, which is for measurement
/// @param searchNodes decisions of the exact search, where no greedy order is as low as what is
///   live at once; 0 for greedy orders alone
/// @param rows whether batches may go through the whole model a few rows at a time, each worker in
///   an arena of its own that its cache holds, each work-group of a GPU in its local memory, and
///   whether all workers may go through the steps of a larger one together, a few rows of a batch
///   after the other. Without, each step is a launch that takes the whole batch
public record Planning(boolean sharing, long searchNodes, boolean rows) {
  public Planning {
    if (searchNodes < 0) {
      throw new IllegalArgumentException(
          "a search of " + searchNodes + " decisions is none; it must be 0 or more");
    }
  }

  public static Planning defaults() {
    return new Planning(true, PlanOptions.SEARCH_NODES, true);
  }

  public Planning withoutSharing() {
    return new Planning(false, searchNodes, rows);
  }

  public Planning withSearchNodes(long nodes) {
    return new Planning(sharing, nodes, rows);
  }

  /// With batches taken by rows where that is faster, or never.
  public Planning withRows(boolean on) {
    return new Planning(sharing, searchNodes, on);
  }

  public PlanOptions upTo(long maxBatch) {
    PlanOptions options = PlanOptions.upTo(maxBatch).searching(searchNodes);
    return sharing ? options : options.plain();
  }
}
