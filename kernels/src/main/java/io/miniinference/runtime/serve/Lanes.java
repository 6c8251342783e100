package io.miniinference.runtime.serve;

/// Lanes in which rows of a batch go side by side, each through all steps.
///
/// @param count at least 1
public record Lanes(int count) {
  /// Rows of a batch for each lane that may be idle at its end.
  private static final long ROWS_FOR_ONE_IDLE = 10;

  /// Whether few lanes are idle while others take the last of `rows`, one by one.
  boolean shareEvenly(long rows) {
    long idle = Math.ceilDiv(rows, count) * count - rows;
    return idle * ROWS_FOR_ONE_IDLE <= rows;
  }
}
