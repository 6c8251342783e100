package io.miniinference.device.team;

/// What an item of each launch takes, as runs before showed, and what follows from it: how many
/// workers share the launch, since to hand it over costs some microseconds, and into how many
/// pieces its items are cut, since to claim one costs a launch of its own.
///
/// A run moves what is known by a little only, and further down than up: a thread may lose its core
/// while it is timed, and items of a launch that hands out its work itself take as little as others
/// leave them.
final class Pace {
  /// Work for which a worker is asked to come: a few times what it costs to ask, to launch once
  /// more, and to read what another core wrote.
  private static final double SHARE_NANOS = 5_000;

  /// A piece costs a launch of its own, of one or two microseconds.
  private static final double PIECE_NANOS = 15_000;

  private static final double LEAST_CHANGE = 0.9;

  private static final double MOST_CHANGE = 1.05;

  private final double[] itemNanos;
  private final int mostPieces;

  /// @param launches whose paces are kept
  /// @param mostPieces of a member
  Pace(int launches, int mostPieces) {
    itemNanos = new double[launches];
    this.mostPieces = mostPieces;
  }

  /// How many of some workers share a launch.
  ///
  /// @param grain fewest items worth a worker, as long as no run has shown what they take
  int members(int launch, long items, int grain, int workers) {
    double each = itemNanos[launch];
    long worth = each > 0 ? (long) (items * each / SHARE_NANOS) : items / grain;
    return (int) Math.min(items, Math.clamp(worth, 1, workers));
  }

  /// Into how many pieces a launch is cut for some members: a multiple of their number if it has as
  /// many items.
  int pieces(int launch, long items, int members) {
    double each = items * itemNanos[launch] / PIECE_NANOS / members;
    return (int) Math.min(items, members * Math.clamp((long) each, 1, mostPieces));
  }

  /// Notes that some items of a launch took some time.
  void took(int launch, long items, long nanos) {
    double each = (double) Math.max(1, nanos) / items;
    double known = itemNanos[launch];
    itemNanos[launch] =
        known > 0 ? Math.clamp(each, known * LEAST_CHANGE, known * MOST_CHANGE) : each;
  }
}
