package io.miniinference.plan.packing;

/// Rectangles with their addresses.
///
/// @param offsets byte offset of each rectangle, as listed
/// @param peakBytes one past the highest byte
/// @param boundBytes most bytes needed at once, which no packing goes below
/// @param search what the exact search did for it
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by index only
public record Packing(long[] offsets, long peakBytes, long boundBytes, SearchReport search) {

  /// The offset of a rectangle if all are turned upside down: what ended highest starts at 0.
  ///
  /// @param sizeBytes its size, rounded up as it was packed
  public long turned(int rectangle, long sizeBytes) {
    return peakBytes - offsets[rectangle] - sizeBytes;
  }
}
