package io.miniinference.lower;

/// How a target computes a node: a form of its kernels, with tile sizes and the like. Only the
/// target that chose it looks into it ([LoweredStep#strategy(Class)]); each target has a sealed
/// interface of its own.
public interface Strategy {

  /// What it is called, and why it is not a faster one.
  ///
  /// @param step for which it was chosen, with its arrays where they lie
  Algorithm algorithm(LoweredStep step);

  /// Bytes of packed weights that are there for other sizes than the step's, and that it does not
  /// read.
  default long unreadWeightBytes(LoweredStep step) {
    return 0;
  }
}
