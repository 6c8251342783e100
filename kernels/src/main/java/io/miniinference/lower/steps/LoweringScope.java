package io.miniinference.lower.steps;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import io.miniinference.schedule.HostScope;
import java.util.ArrayList;
import java.util.List;

/// What a graph that is lowered shares with the graphs around it.
///
/// @param blocks all of the program's
/// @param steps all of the program's
/// @param prefix of the names in this body
/// @param scope what the host knows of this graph
/// @param needs what the device must compute of it
/// @param guards conditions without which kernels here must do nothing
/// @param isTimed whether the program has loops, so that kernels that may fail are told when they
///   run
record LoweringScope(
    Blocks blocks,
    Steps steps,
    String prefix,
    HostScope scope,
    DeviceNeeds needs,
    List<LoweredStep.Guard> guards,
    boolean isTimed) {

  static LoweringScope of(Graph graph) {
    HostScope scope = HostScope.of(graph);
    DeviceNeeds needs = DeviceNeeds.of(graph, scope);
    return new LoweringScope(
        new Blocks(), new Steps(), "", scope, needs, List.of(), iterates(graph));
  }

  private static boolean iterates(Graph graph) {
    return graph.nodes().stream()
        .anyMatch(node ->
            node.op() instanceof Op.Loop
                || node.op() instanceof Op.Iteration
                || (node.op() instanceof Op.If branch
                    && branch.bodies().stream().anyMatch(LoweringScope::iterates)));
  }

  /// The surroundings of a body of a node.
  LoweringScope inner(Node node, int body, String suffix) {
    return new LoweringScope(
        blocks,
        steps,
        prefix + node.name() + suffix + "/",
        scope.inner(node, body),
        needs.inner(node, body),
        guards,
        isTimed);
  }

  /// The same for kernels that must do nothing unless `condition` is as wanted.
  LoweringScope guardedBy(Array condition, boolean wanted) {
    List<LoweredStep.Guard> more = new ArrayList<>(guards);
    more.add(new LoweredStep.Guard(condition, wanted));
    return new LoweringScope(blocks, steps, prefix, scope, needs, List.copyOf(more), isTimed);
  }

  /// The steps of a program under construction, those of bodies included.
  static final class Steps {
    private final List<LoweredStep> launched = new ArrayList<>();
    private int next;

    /// The number of the next step.
    int next() {
      return next++;
    }

    void launch(LoweredStep step) {
      launched.add(step);
    }

    List<LoweredStep> launched() {
      return launched;
    }
  }
}
