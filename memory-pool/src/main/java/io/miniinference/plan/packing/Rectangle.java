package io.miniinference.plan.packing;

/// Bytes that are needed for some time: a rectangle in time × address whose address is open.
///
/// @param lower first tick, included
/// @param upper last tick, excluded
/// @param sizeBytes height
public record Rectangle(long lower, long upper, long sizeBytes) {
  public Rectangle {
    if (lower >= upper || sizeBytes < 0) {
      throw new IllegalArgumentException(
          "no rectangle: time %d to %d, %d bytes".formatted(lower, upper, sizeBytes));
    }
  }

  public boolean overlaps(Rectangle other) {
    return lower < other.upper && other.lower < upper;
  }
}
