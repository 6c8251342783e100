package io.miniinference.plan;

/// A decision, valid at every batch size, that two arrays of a step are the same memory. Both are
/// named as the source program has them, before any merge.
///
/// @param step number of the step that need not copy, or that works in place
/// @param source the array that the step reads
/// @param destination the array that it writes, in the same place
/// @param isCopy whether that makes a copy needless; otherwise the step works in place
public record Merge(int step, Array source, Array destination, boolean isCopy) {
  @Override
  public String toString() {
    return source.name() + " -> " + destination.name();
  }
}
