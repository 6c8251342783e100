package io.miniinference.plan;

/// Rectangles with their addresses.
///
/// @param offsets byte offset of each rectangle, as listed
/// @param peakBytes one past the highest byte
/// @param boundBytes most bytes needed at once, which no packing goes below
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by index only
record Packing(long[] offsets, long peakBytes, long boundBytes) {}
