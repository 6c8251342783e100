package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// What the bodies of a node read from around it.
final class Captures {
  private Captures() {}

  /// The node with bodies that have captured constants as their own, so that they are folded there
  /// and seen by who lowers them.
  static Node constant(Node node, Map<Value, Tensor> constants) {
    if (!(node.op() instanceof Op.Control control)) {
      return node;
    }
    IntPredicate isConstant =
        k -> k >= control.firstCaptured() && constants.containsKey(node.inputs().get(k));
    List<Integer> sunk = operands(node).filter(isConstant).boxed().toList();
    if (sunk.isEmpty()) {
      return node;
    }
    Map<Integer, Tensor> byInput = new TreeMap<>();
    sunk.forEach(k -> byInput.put(k - control.shift(), content(constants, node.inputs().get(k))));
    return without(Rewrite.bodies(node, body -> withConstants(body, byInput)), sunk);
  }

  private static Tensor content(Map<Value, Tensor> constants, Value value) {
    return Objects.requireNonNull(constants.get(value));
  }

  private static Graph withConstants(Graph body, Map<Integer, Tensor> byInput) {
    Map<Value, Tensor> constants = new LinkedHashMap<>(body.constants());
    byInput.forEach((input, tensor) -> constants.put(body.inputs().get(input), tensor));
    return Rewrite.nodes(body, body.nodes(), constants);
  }

  /// The node without the operands that its bodies do not read.
  static Node used(Node node) {
    if (!(node.op() instanceof Op.Control control)) {
      return node;
    }
    Set<Integer> read = new HashSet<>();
    for (Graph body : control.bodies()) {
      Set<Value> values = new HashSet<>(body.outputs());
      body.nodes().forEach(inner -> values.addAll(inner.inputs()));
      operands(node)
          .filter(k -> k >= control.firstCaptured())
          .filter(k -> values.contains(body.inputs().get(k - control.shift())))
          .forEach(read::add);
    }
    return without(
        node,
        operands(node)
            .filter(k -> k >= control.firstCaptured() && !read.contains(k))
            .boxed()
            .toList());
  }

  private static IntStream operands(Node node) {
    return IntStream.range(0, node.inputs().size());
  }

  /* The node without some operands, and its bodies without the inputs bound to them. */
  private static Node without(Node node, List<Integer> operands) {
    if (operands.isEmpty() || !(node.op() instanceof Op.Control control)) {
      return node;
    }
    List<Integer> inputs = operands.stream().map(k -> k - control.shift()).toList();
    Node less = Rewrite.bodies(node, body -> Rewrite.inputs(body, without(body.inputs(), inputs)));
    List<Value> left = without(node.inputs(), operands);
    return Rewrite.with(less, less.op(), null, left.size(), left);
  }

  static <T> List<T> without(List<T> list, List<Integer> places) {
    List<T> left = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      if (!places.contains(i)) {
        left.add(list.get(i));
      }
    }
    return left;
  }
}
