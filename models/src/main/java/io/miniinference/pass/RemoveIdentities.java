package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Takes out nodes that give their operand unchanged, and makes views of elementwise nodes that
/// only repeat it. What makes an output stays, as a view, since outputs keep their names.
public final class RemoveIdentities implements Pass {
  @Override
  public Graph apply(Graph graph) {
    Set<Value> outputs = new HashSet<>(graph.outputs());
    Map<Value, Value> replaced = new HashMap<>();
    List<Node> kept = new ArrayList<>();
    for (Node original : graph.nodes()) {
      Node node = asView(Rewrite.inputs(original, replaced));
      if (isIdentity(node) && !outputs.contains(node.output())) {
        replaced.put(node.output(), node.inputs().getFirst());
      } else {
        kept.add(node);
      }
    }
    return Rewrite.nodes(graph, kept);
  }

  private static Node asView(Node node) {
    if (!(node.op() instanceof Op.Elementwise(Expr.Arg(int k), var type))) {
      return node;
    }
    Value source = node.inputs().get(k);
    boolean same = source.type().equals(type);
    Movement map = same ? new Movement.Reshape(type.shape()) : new Movement.Expand(type.shape());
    return Rewrite.with(node, new Op.View(map), null, 1, List.of(source));
  }

  private static boolean isIdentity(Node node) {
    return node.op() instanceof Op.View view
        && node.inputs().getFirst().type().equals(node.output().type())
        && isIdentity(view.map());
  }

  /* Of a view whose result has its operand's type. */
  private static boolean isIdentity(Movement map) {
    return switch (map) {
      case Movement.Reshape _, Movement.Expand _ -> true;
      case Movement.Transpose transpose ->
          transpose.permutation().equals(transpose.permutation().stream().sorted().toList());
      case Movement.Slice slice ->
          slice.starts().stream().allMatch(Affine::isZero)
              && slice.steps().stream().allMatch(s -> s == 1);
    };
  }
}
