package io.miniinference.plan;

/// A decision, valid at every batch size, that two blocks are the same memory.
///
/// @param step number of the step that may work in place
/// @param source the array whose memory is written over
/// @param destination the array that takes its place
public record Merge(int step, Array source, Array destination) {
  @Override
  public String toString() {
    return source.name() + " -> " + destination.name();
  }
}
