package io.miniinference.service.cli;

/// Which sizes of a model with open sizes a plan shows, and why these.
sealed interface PlannedSizes permits LargestSizes, BoundSizes {

  /// A line behind the plan.
  String text();

  /// For scripts.
  String jsonFields();
}
