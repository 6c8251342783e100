package io.miniinference.lower.steps;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;

/// Which Gathers of a graph the kernel that reads their result may do on its way: one kernel reads
/// it, nothing that can fail runs in between, and no more memory is in use than would be with the
/// result in an array.
final class GatheredOperands {
  private final Graph graph;
  private final DeviceNeeds needs;
  private final Fallible fallible;

  GatheredOperands(Graph graph, DeviceNeeds needs) {
    this.graph = graph;
    this.needs = needs;
    fallible = Fallible.in(graph);
  }

  /// A node and the number of the operand that it may gather.
  record Reader(Node node, int operand) {}

  /// The only reader of what a Gather makes, if that may gather it.
  Optional<Reader> readerOf(Node gather, List<Node> consumers) {
    if (!(gather.op() instanceof Op.Gather)
        || consumers.size() != 1
        || graph.outputs().contains(gather.output())) {
      return Optional.empty();
    }
    Node node = consumers.getFirst();
    int operand = node.inputs().indexOf(gather.output());
    boolean once = node.inputs().lastIndexOf(gather.output()) == operand;
    boolean isKernel = !(node.op() instanceof Op.Control);
    return once
            && isKernel
            && operand < node.operands()
            && needs.needs(node)
            && mayWait(gather, node)
        ? Optional.of(new Reader(node, operand))
        : Optional.empty();
  }

  /* Failures are told in the order of the graph: a Gather that can fail waits for no other node that
  can. */
  private boolean mayWait(Node gather, Node node) {
    List<Node> between =
        graph.nodes().subList(graph.nodes().indexOf(gather) + 1, graph.nodes().indexOf(node));
    List<Node> launched =
        between.stream().filter(n -> needs.needs(n) && !(n.op() instanceof Op.View)).toList();
    boolean inOrder = !fallible.mayFail(gather) || launched.stream().noneMatch(fallible::mayFail);
    return inOrder && !fallible.mayFail(node) && isNoLarger(gather, node, launched.isEmpty());
  }

  /* While the node runs, what the Gather reads is there in place of what it makes. */
  private boolean isNoLarger(Node gather, Node node, boolean isNext) {
    TensorType gathered = gather.output().type();
    Affine held =
        gather.inputs().stream()
            .filter(value -> !graph.constants().containsKey(value))
            .map(value -> bytes(value.type()))
            .reduce(Affine.ZERO, Affine::plus);
    Affine made =
        node.outputs().stream().map(it -> bytes(it.type())).reduce(Affine.ZERO, Affine::plus);
    return held.isAtMost(bytes(gathered)) || (isNext && made.isAtMost(bytes(gathered)));
  }

  private static Affine bytes(TensorType type) {
    return type.elements().times(type.element().bytes());
  }
}
