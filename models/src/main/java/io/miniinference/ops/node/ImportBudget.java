package io.miniinference.ops.node;

import io.miniinference.onnx.Problem;
import java.util.function.Supplier;

/// How many nodes one import may look at or make, each time it does: a body is looked at again for
/// each iteration of a loop that is written out, and where its If turns out to need the branch that
/// is taken in its place, so that a small file of nested bodies could keep it busy for ever. So
/// could one of nodes that take long lists apart.
public final class ImportBudget {
  static final int MOST_NODES = 500_000;

  private int nodes;

  /// Counts a node.
  ///
  /// @param where the node in messages
  void look(Supplier<String> where) {
    look(1, where);
  }

  /// How many were counted so far.
  int looked() {
    return nodes;
  }

  /// Counts on to so many, if they are not yet: what a body makes is counted in it, and is made by
  /// the node around it, too.
  void reach(int count, Supplier<String> where) {
    if (count > nodes) {
      look(count - nodes, where);
    }
  }

  /// Counts what takes as long as so many nodes.
  void look(int more, Supplier<String> where) {
    nodes += more;
    if (nodes > MOST_NODES) {
      throw new Spent(
          new Problem(
              where.get(),
              ("is the %,dth node to be looked at, which is the most; nest fewer bodies in each other,"
                      + " or take fewer lists apart")
                  .formatted(MOST_NODES)));
    }
  }

  /// Ends an import, whatever is wrong with the model besides.
  public static final class Spent extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Problem problem;

    private Spent(Problem problem) {
      super(problem.toString(), null, false, false);
      this.problem = problem;
    }

    public Problem problem() {
      return problem;
    }
  }
}
