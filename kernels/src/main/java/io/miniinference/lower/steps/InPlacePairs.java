package io.miniinference.lower.steps;

import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.KernelChoice;
import io.miniinference.plan.Array;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The inputs over which a step may write its result: read at the very index that is written, and
/// nowhere else.
final class InPlacePairs {
  private InPlacePairs() {}

  /// @param failure how the step can fail, if it can
  static List<Step.InPlace> of(
      Node node, @Nullable FailurePoint failure, List<Array> inputs, KernelChoice<?> choice) {
    List<Step.InPlace> pairs = new ArrayList<>();
    Set<Integer> sameIndex = sameIndexInputs(node, choice);
    if (failure != null && failure.divisionByZero() != null) {
      // Who fails looks at the divisors of its whole row again.
      sameIndex.removeAll(ExprTree.usedArgs(failure.divisionByZero()));
    }
    for (int i : sameIndex) {
      if (inputs.get(i).block().isPlanned()) {
        pairs.add(new Step.InPlace(0, i));
      }
    }
    return pairs;
  }

  private static Set<Integer> sameIndexInputs(Node node, KernelChoice<?> choice) {
    Set<Integer> args = new HashSet<>();
    if (node.op() instanceof Op.Scatter) {
      args.add(0);
    } else if (node.op() instanceof Op.Elementwise elementwise) {
      args.addAll(ExprTree.directArgs(elementwise.expr()));
      args.removeAll(ExprTree.computedArgs(elementwise.expr()));
    } else if (choice.epilogueInPlace()) {
      for (int i = node.operands(); i < node.inputs().size(); i++) {
        args.add(i);
      }
    }
    args.removeIf(i -> !sameShape(node, i));
    return args;
  }

  private static boolean sameShape(Node node, int input) {
    return node.inputs().get(input).type().shape().equals(node.output().type().shape());
  }
}
