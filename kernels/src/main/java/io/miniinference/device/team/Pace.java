package io.miniinference.device.team;

/// What an item of each launch takes, as runs before showed, and into how many pieces its items are
/// cut by that: few, as each costs a launch of its own, but so many that nobody waits long for the
/// last one.
///
/// The least that was seen counts, since a thread may lose its core while it is timed; it is
/// forgotten slowly, since items of another batch may take longer.
final class Pace {
  /// A piece costs a launch of its own, of one or two microseconds.
  private static final double PIECE_NANOS = 15_000;

  private static final double FORGETTING = 1.02;

  private final double[] itemNanos;
  private final int mostPieces;

  /// @param launches whose paces are kept
  /// @param mostPieces of a member
  Pace(int launches, int mostPieces) {
    itemNanos = new double[launches];
    this.mostPieces = mostPieces;
  }

  /// Into how many pieces a launch is cut for some members: a multiple of their number if it has as
  /// many items.
  int pieces(int launch, long items, int members) {
    double each = items * itemNanos[launch] / PIECE_NANOS / members;
    return (int) Math.min(items, members * Math.clamp((long) each, 1, mostPieces));
  }

  /// Notes that some items of a launch took some time.
  void took(int launch, long items, long nanos) {
    double each = (double) nanos / items;
    double known = itemNanos[launch];
    itemNanos[launch] = known > 0 ? Math.min(known * FORGETTING, each) : each;
  }
}
