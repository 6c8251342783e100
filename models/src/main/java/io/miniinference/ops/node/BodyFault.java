package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import io.miniinference.onnx.Problem;
import java.util.List;

/// What keeps the body of a node from being imported: the problems of the nodes inside. All lists
/// are empty if the body reads what could not be made, which was reported.
public final class BodyFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<Problem> problems;
  private final transient List<Problem> unresolved;
  private final transient List<Problem> failed;
  private final transient List<Faults.Negative> negatives;
  private final transient List<Value> ahead;

  private BodyFault(
      List<Problem> problems,
      List<Problem> unresolved,
      List<Problem> failed,
      List<Faults.Negative> negatives,
      List<Value> ahead) {
    super("a body cannot be imported", null, false, false);
    this.problems = List.copyOf(problems);
    this.unresolved = List.copyOf(unresolved);
    this.failed = List.copyOf(failed);
    this.negatives = List.copyOf(negatives);
    this.ahead = List.copyOf(ahead);
  }

  public static BodyFault of(Faults faults) {
    return new BodyFault(
        faults.problems().found(),
        faults.unresolved(),
        faults.failed(),
        faults.negatives(),
        List.of());
  }

  /// The faults of several bodies as one.
  public static BodyFault of(List<BodyFault> faults) {
    return new BodyFault(
        faults.stream().flatMap(fault -> fault.problems.stream()).toList(),
        faults.stream().flatMap(fault -> fault.unresolved.stream()).toList(),
        faults.stream().flatMap(fault -> fault.failed.stream()).toList(),
        faults.stream().flatMap(fault -> fault.negatives.stream()).toList(),
        List.of());
  }

  /// The same, in an iteration of a loop.
  public BodyFault at(long iteration) {
    return new BodyFault(
        problems,
        unresolved,
        failed,
        negatives.stream()
            .map(n -> new Faults.Negative(n.problem(), n.size().at(iteration)))
            .toList(),
        ahead);
  }

  /// The same, known to come behind values of the draft in which the node of the body stands.
  public BodyFault behind(List<Value> values) {
    return new BodyFault(problems, unresolved, failed, negatives, values);
  }

  /// Values of the draft in which the node of the body stands, which are computed ahead of the
  /// first size that is negative or unknown.
  List<Value> ahead() {
    return ahead;
  }

  List<Problem> problems() {
    return problems;
  }

  List<Problem> unresolved() {
    return unresolved;
  }

  List<Problem> failed() {
    return failed;
  }

  public List<Faults.Negative> negatives() {
    return negatives;
  }

  /// Whether nothing is wrong but what follows from values: they are not known at load, fail, or
  /// make a size negative.
  public boolean isOfValues() {
    return problems.isEmpty() && (!unresolved.isEmpty() || endsRun());
  }

  /// Whether nodes do not fit each other, whatever values a request brings.
  public boolean isOfModel() {
    return !problems.isEmpty();
  }

  /// The first of the problems, as a message.
  ///
  /// @throws IllegalStateException if there is none
  public String firstProblem() {
    return problems.stream().findFirst().orElseThrow(IllegalStateException::new).toString();
  }

  /// Whether a run that comes to the body fails in it, whatever the sizes that are not known: at
  /// one that is negative, or at what one follows from (`DeadEnd`).
  public boolean isDeadEnd() {
    return problems.isEmpty() && endsRun();
  }

  private boolean endsRun() {
    return !(failed.isEmpty() && negatives.isEmpty());
  }
}
