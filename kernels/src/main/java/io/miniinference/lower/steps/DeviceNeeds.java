package io.miniinference.lower.steps;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.schedule.HostScope;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a device must compute of a graph: what its outputs need, less what only conditions and trip
/// counts need that the host works out.
final class DeviceNeeds {
  private final HostScope scope;
  private final Set<Value> values = new HashSet<>();
  private final Map<Node, List<DeviceNeeds>> inner = new IdentityHashMap<>();

  private DeviceNeeds(Graph graph, HostScope scope, Set<Value> outputs) {
    this.scope = scope;
    values.addAll(outputs);
    graph.nodes().reversed().forEach(this::add);
  }

  static DeviceNeeds of(Graph graph, HostScope scope) {
    return new DeviceNeeds(graph, scope, Set.copyOf(graph.outputs()));
  }

  boolean needs(Value value) {
    return values.contains(value);
  }

  boolean needs(Node node) {
    return node.outputs().stream().anyMatch(values::contains);
  }

  /// The needs of a body of a node that is needed.
  DeviceNeeds inner(Node node, int body) {
    return Objects.requireNonNull(inner.get(node), "a node that is needed").get(body);
  }

  /// Which of the values that a loop carries are needed. These are the needs of its body.
  List<Integer> carried(Op.Loop loop) {
    return IntStream.range(0, loop.carried())
        .filter(i -> needs(loop.body().outputs().get(1 + i)))
        .boxed()
        .toList();
  }

  private void add(Node node) {
    if (!needs(node)) {
      return;
    }
    if (!(node.op() instanceof Op.Control control)) {
      values.addAll(node.inputs());
      return;
    }
    List<DeviceNeeds> bodies =
        switch (control) {
          case Op.If branch -> {
            needUnlessKnown(node.inputs().getFirst());
            yield List.of(body(node, branch.then(), 0), body(node, branch.otherwise(), 1));
          }
          case Op.Loop loop -> List.of(loop(node, loop));
          case Op.Iteration once -> List.of(body(node, once.body(), 0));
        };
    inner.put(node, bodies);
    for (int i = 0; i < bodies.size(); i++) {
      addCaptured(node, control, control.bodies().get(i), bodies.get(i));
    }
  }

  private void addCaptured(Node node, Op.Control control, Graph body, DeviceNeeds needs) {
    for (int k = control.firstCaptured(); k < node.inputs().size(); k++) {
      if (needs.needs(body.inputs().get(k - control.shift()))) {
        values.add(node.inputs().get(k));
      }
    }
  }

  private void needUnlessKnown(Value value) {
    if (!scope.knows(value)) {
      values.add(value);
    }
  }

  private DeviceNeeds body(Node node, Graph body, int number) {
    Set<Value> outputs =
        IntStream.range(0, node.outputs().size())
            .filter(i -> needs(node.outputs().get(i)))
            .mapToObj(body.outputs()::get)
            .collect(Collectors.toSet());
    return new DeviceNeeds(body, scope.inner(node, number), outputs);
  }

  /* What is carried is needed if its last value is, or if an iteration needs it. */
  private DeviceNeeds loop(Node node, Op.Loop loop) {
    needUnlessKnown(node.inputs().get(0));
    needUnlessKnown(node.inputs().get(1));
    HostScope body = scope.inner(node, 0);
    Set<Value> outputs = new HashSet<>();
    for (int i = 0; i < node.outputs().size(); i++) {
      if (needs(node.outputs().get(i))) {
        outputs.add(loop.body().outputs().get(1 + i));
      }
    }
    if (!body.knows(loop.body().outputs().getFirst())) {
      outputs.add(loop.body().outputs().getFirst());
    }
    while (true) {
      DeviceNeeds needs = new DeviceNeeds(loop.body(), body, outputs);
      boolean more = false;
      for (int i = 1; i <= loop.carried(); i++) {
        if (needs.needs(loop.body().inputs().get(i))) {
          more |= outputs.add(loop.body().outputs().get(i));
        }
      }
      if (!more) {
        needs.carried(loop).forEach(i -> values.add(node.inputs().get(2 + i)));
        return needs;
      }
    }
  }
}
