package io.miniinference.plan.packing;

import java.time.Duration;

/// How long the exact search may go on.
///
/// @param nodes most decisions; the limit that makes a result the same on every machine
/// @param time most wall-clock time, a safety net
public record SearchLimits(long nodes, Duration time) {
  /// No search at all.
  public static final SearchLimits NONE = new SearchLimits(0, Duration.ZERO);

  public SearchLimits {
    if (nodes < 0 || time.isNegative()) {
      throw new IllegalArgumentException(
          "a search of %d nodes and %s is none; both must be 0 or more".formatted(nodes, time));
    }
  }

  public SearchLimits withNodes(long most) {
    return new SearchLimits(most, time);
  }
}
