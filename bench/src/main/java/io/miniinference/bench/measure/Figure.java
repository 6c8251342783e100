package io.miniinference.bench.measure;

/// What a line of a table shows of something that was measured.
public sealed interface Figure permits Measurement, Comparison {
  /// What was measured, such as a model.
  String name();

  /// Under what circumstances.
  Parameters parameters();

  /// Whose figure of what it is.
  String line();

  /// The figure as people read it.
  String text();
}
