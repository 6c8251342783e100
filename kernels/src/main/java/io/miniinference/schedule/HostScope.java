package io.miniinference.schedule;

import io.miniinference.budget.LoadBudget;
import io.miniinference.interp.NodeKernel;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What the host can work out of a graph, or of a body in it, without asking the device: what
/// follows from constants, sizes, small inputs and numbers of iterations by nodes that cannot fail
/// and give the same bits everywhere. Of that it evaluates what conditions and trip counts need.
public final class HostScope {
  /// Most elements of a value that the host works with: conditions and counts need few.
  private static final long MOST_ELEMENTS = 1024;

  /// Of looking at a node, in nanoseconds.
  private static final double STEPS = 100;

  private final Graph graph;
  private final Fallible fallible;
  private final Set<Value> known;
  private final Map<Node, List<HostScope>> inner = new IdentityHashMap<>();
  private final Set<Value> wanted = new HashSet<>();
  private final List<NodeKernel> evaluated = new ArrayList<>();

  private HostScope(Graph graph, Set<Value> inputs) {
    LoadBudget.spend(STEPS * graph.nodes().size());
    this.graph = graph;
    fallible = Fallible.in(graph);
    known = new HashSet<>(graph.constants().keySet());
    known.addAll(inputs);
    graph.nodes().forEach(this::learn);
  }

  /// The scope of a whole graph and of the bodies in it.
  public static HostScope of(Graph graph) {
    Set<Value> small = new HashSet<>();
    graph.inputs().stream().filter(v -> isSmall(v.type())).forEach(small::add);
    HostScope scope = new HostScope(graph, small);
    scope.want();
    return scope;
  }

  private static boolean isSmall(TensorType type) {
    return type.isStatic() && type.elements().constant() <= MOST_ELEMENTS;
  }

  /// Whether the host can work out a value of this graph.
  public boolean knows(Value value) {
    return known.contains(value);
  }

  /// Whether conditions or trip counts need a value that the host knows.
  boolean wants(Value value) {
    return wanted.contains(value);
  }

  /// What is evaluated, in order.
  List<NodeKernel> evaluated() {
    return evaluated;
  }

  Graph graph() {
    return graph;
  }

  /// Whether some loop in this graph is decided by values of the device, which the host must read.
  public boolean waits() {
    return graph.nodes().stream()
        .anyMatch(node ->
            node.op() instanceof Op.Control control
                && ((control instanceof Op.Loop loop && waits(node, loop))
                    || Objects.requireNonNull(inner.get(node)).stream()
                        .anyMatch(HostScope::waits)));
  }

  private boolean waits(Node node, Op.Loop loop) {
    return !knows(node.inputs().get(0))
        || !knows(node.inputs().get(1))
        || !inner(node, 0).knows(loop.body().outputs().getFirst());
  }

  /// The scope of a body of a node of this graph.
  public HostScope inner(Node node, int body) {
    return Objects.requireNonNull(inner.get(node), "a node with bodies").get(body);
  }

  private void learn(Node node) {
    if (node.op() instanceof Op.Control control) {
      inner.put(node, bodies(node, control));
    } else if (node.outputs().stream().allMatch(v -> isSmall(v.type()))
        && isExact(node.op())
        && !fallible.mayFail(node)
        && node.inputs().stream().allMatch(known::contains)) {
      known.addAll(node.outputs());
    }
  }

  /* Whether the host gets the very bits that the device gets: sums of floats depend on their order. */
  private static boolean isExact(Op op) {
    return switch (op) {
      case Op.Elementwise _, Op.Rearrangement _ -> true;
      case Op.Reduce reduce ->
          reduce.kind() != Op.ReduceKind.SUM && reduce.kind() != Op.ReduceKind.PRODUCT;
      case Op.Indexed _, Op.Regular _, Op.Control _ -> false;
    };
  }

  private List<HostScope> bodies(Node node, Op.Control control) {
    return switch (control) {
      case Op.If branch ->
          List.of(
              new HostScope(branch.then(), captured(node, branch, branch.then())),
              new HostScope(branch.otherwise(), captured(node, branch, branch.otherwise())));
      case Op.Loop loop -> List.of(body(node, loop));
      case Op.Iteration once ->
          List.of(new HostScope(once.body(), captured(node, once, once.body())));
    };
  }

  private Set<Value> captured(Node node, Op.Control control, Graph body) {
    Set<Value> inputs = new HashSet<>();
    for (int k = control.firstCaptured(); k < node.inputs().size(); k++) {
      if (known.contains(node.inputs().get(k))) {
        inputs.add(body.inputs().get(k - control.shift()));
      }
    }
    return inputs;
  }

  /* What is carried is known if it is before the loop and after each iteration. */
  private HostScope body(Node node, Op.Loop loop) {
    Set<Value> inputs = captured(node, loop, loop.body());
    inputs.add(loop.body().inputs().getFirst());
    for (int i = 1; i <= loop.carried(); i++) {
      if (known.contains(node.inputs().get(1 + i))) {
        inputs.add(loop.body().inputs().get(i));
      }
    }
    while (true) {
      HostScope scope = new HostScope(loop.body(), inputs);
      boolean lost = false;
      for (int i = 1; i <= loop.carried(); i++) {
        if (!scope.knows(loop.body().outputs().get(i))) {
          lost |= inputs.remove(loop.body().inputs().get(i));
        }
      }
      if (!lost) {
        return scope;
      }
    }
  }

  /* Marks what conditions and trip counts need, from the last node to the first. */
  private void want() {
    LoadBudget.spend(STEPS * graph.nodes().size());
    evaluated.clear();
    for (Node node : graph.nodes().reversed()) {
      if (node.op() instanceof Op.Control control) {
        want(node, control);
      } else if (node.outputs().stream().anyMatch(wanted::contains)) {
        evaluated.addFirst(NodeKernel.of(node));
        wanted.addAll(node.inputs());
      }
    }
  }

  private void want(Node node, Op.Control control) {
    List<HostScope> bodies = Objects.requireNonNull(inner.get(node));
    switch (control) {
      case Op.If _ -> wantIfKnown(node.inputs().getFirst());
      case Op.Loop loop -> {
        wantIfKnown(node.inputs().get(0));
        wantIfKnown(node.inputs().get(1));
        bodies.getFirst().wantForNextIteration(loop);
        for (int i = 1; i <= loop.carried(); i++) {
          if (bodies.getFirst().wants(loop.body().inputs().get(i))) {
            wanted.add(node.inputs().get(1 + i));
          }
        }
      }
      case Op.Iteration _ -> {}
    }
    for (HostScope body : bodies) {
      body.want();
      wantCaptured(node, control, body);
    }
  }

  private void wantIfKnown(Value value) {
    if (known.contains(value)) {
      wanted.add(value);
    }
  }

  private void wantCaptured(Node node, Op.Control control, HostScope body) {
    for (int k = control.firstCaptured(); k < node.inputs().size(); k++) {
      if (body.wants(body.graph.inputs().get(k - control.shift()))) {
        wanted.add(node.inputs().get(k));
      }
    }
  }

  private void wantForNextIteration(Op.Loop loop) {
    wantIfKnown(graph.outputs().getFirst());
    int before;
    do {
      want();
      before = wanted.size();
      for (int i = 1; i <= loop.carried(); i++) {
        if (wanted.contains(graph.inputs().get(i))) {
          wanted.add(graph.outputs().get(i));
        }
      }
    } while (wanted.size() > before);
  }
}
