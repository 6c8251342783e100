package io.miniinference.plan;

import java.util.Optional;

/// What kernels and transfers can do with arrays that the planner would like to have elsewhere in
/// memory, or in another order of elements.
public interface TargetConstraints {
  /// TargetConstraints that read and write through any index function.
  TargetConstraints ANY =
      new TargetConstraints() {
        @Override
        public boolean canRun(Step before, Step moved) {
          return true;
        }

        @Override
        public boolean canTransfer(Array array) {
          return true;
        }
      };

  /// What memory that moves must start at a multiple of: kernels read vectors of as many bytes
  /// where they find no reason against it in a step's index functions, which know nothing of moves.
  default int vectorBytes() {
    return 16;
  }

  /// Whether there is a kernel for a step over these arrays.
  ///
  /// @param before a step of the program
  /// @param moved the same with some of its arrays moved
  boolean canRun(Step before, Step moved);

  /// Whether a request can bring an input along, or take a result away, that lies here.
  boolean canTransfer(Array array);

  /// The merge that a step would offer if it were known in time where its operand goes, with what
  /// forbids it.
  default Optional<RefusedMerge> refused(Step step) {
    return Optional.empty();
  }
}
