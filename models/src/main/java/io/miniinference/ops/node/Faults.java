package io.miniinference.ops.node;

import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Problems;
import io.miniinference.ops.draft.LoweringFault;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with the nodes of a graph or body, gathered while they are imported.
///
/// @param problems of the model
/// @param unresolved problems that fixed sizes would cure
/// @param failed sizes that are not known since what they follow from fails, so that a run that
///   would come to them has failed
/// @param negatives sizes below 0, in order of execution: the model's fault if the file states
///   them, the request's if its inputs do
public record Faults(
    Problems problems, List<Problem> unresolved, List<Problem> failed, List<Negative> negatives) {

  /// @param problem the size in words
  public record Negative(Problem problem, NegativeSize size) {}

  public static Faults in(Problems problems) {
    return new Faults(problems, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  /// Notes why a node cannot be lowered.
  ///
  /// @param where the node in messages
  /// @param node its name, or `#k`
  void add(String where, String node, String op, LoweringFault fault) {
    Problem problem = new Problem(where, fault.what());
    LoweringFault.Negative negative = fault.negative();
    if (negative != null) {
      negatives.add(
          new Negative(
              problem,
              new NegativeSize(
                  node, op, negative.axis(), negative.position(), negative.size(), null)));
    } else if (fault.isSpecialisable()) {
      unresolved.add(problem);
    } else if (fault.isFailed()) {
      failed.add(problem);
    } else {
      problems.add(problem);
    }
  }

  void addAll(BodyFault fault) {
    fault.problems().forEach(problems::add);
    unresolved.addAll(fault.unresolved());
    failed.addAll(fault.failed());
    negatives.addAll(fault.negatives());
  }

  boolean isEmpty() {
    return problems.isEmpty() && unresolved.isEmpty() && !endsRun();
  }

  /// Whether there is a node that no run gets past.
  boolean endsRun() {
    return !(failed.isEmpty() && negatives.isEmpty());
  }
}
