package io.miniinference.plan;

/// A merge that a step offers and the plan does not make.
///
/// @param step number of the step
/// @param source the array whose memory would have been written over
/// @param destination the array that would have taken its place
/// @param condition what forbids it
public record RefusedMerge(int step, Array source, Array destination, Condition condition) {
  @Override
  public String toString() {
    return source.name() + " -> " + destination.name() + ": " + condition;
  }
}
