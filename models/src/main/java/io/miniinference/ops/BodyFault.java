package io.miniinference.ops;

import io.miniinference.onnx.Problem;
import java.util.List;

/// What keeps the body of a node from being imported: the problems of the nodes inside. Both lists
/// are empty if the body reads what could not be made, which was reported.
final class BodyFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<Problem> problems;
  private final transient List<Problem> unresolved;

  /// @param unresolved problems that fixed sizes would cure
  BodyFault(List<Problem> problems, List<Problem> unresolved) {
    super("a body cannot be imported", null, false, false);
    this.problems = List.copyOf(problems);
    this.unresolved = List.copyOf(unresolved);
  }

  /// The faults of several bodies as one.
  static BodyFault of(List<BodyFault> faults) {
    return new BodyFault(
        faults.stream().flatMap(fault -> fault.problems.stream()).toList(),
        faults.stream().flatMap(fault -> fault.unresolved.stream()).toList());
  }

  List<Problem> problems() {
    return problems;
  }

  List<Problem> unresolved() {
    return unresolved;
  }

  /// Whether nothing is wrong but that values are not known at load.
  boolean isSpecialisable() {
    return problems.isEmpty() && !unresolved.isEmpty();
  }
}
