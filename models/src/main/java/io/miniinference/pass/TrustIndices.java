package io.miniinference.pass;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Trusts indices that the engine itself made: a Gather whose indices are places that TopK, ArgMax
/// or ArgMin found in rows no longer than the axis they are used on has no bad index, hence no
/// check and no failure.
public final class TrustIndices implements Pass {
  @Override
  public Graph apply(Graph graph) {
    Map<Value, Affine> limits = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    for (Node node : graph.nodes()) {
      nodes.add(trusting(node, limits));
      note(node, limits);
    }
    return Rewrite.nodes(graph, nodes);
  }

  /* All elements of a value with a limit are at least 0 and less than that. */
  private static void note(Node node, Map<Value, Affine> limits) {
    if (node.epilogue() != null || node.inputs().isEmpty()) {
      return;
    }
    Value x = node.inputs().getFirst();
    switch (node.op()) {
      case Op.Positional rows ->
          IntStream.range(0, node.outputs().size())
              .filter(rows::givesPlaces)
              .mapToObj(node.outputs()::get)
              .forEach(places -> limits.put(places, x.type().dim(rows.rowAxes().getFirst())));
      case Op.Reduce reduce when reduce.kind().isArg() && isFilled(x, reduce.axes()) ->
          limits.put(node.output(), x.type().dim(reduce.axes().getFirst()));
      case Op.Elementwise(Expr.Cast(ElementType to, Expr.Arg(int k)), _)
          when to == ElementType.I32 || to == ElementType.I64 ->
          passOn(node.inputs().get(k), node, limits);
      case Op.View _ -> passOn(x, node, limits);
      case Op.Reduce _,
          Op.Elementwise _,
          Op.Concat _,
          Op.Indexed _,
          Op.Regular _,
          Op.Control _ -> {}
    }
  }

  /* The place of the largest of no elements is none. */
  private static boolean isFilled(Value x, List<Integer> axes) {
    Affine extent = x.type().dim(axes.getFirst());
    return extent.isConstant() && extent.constant() > 0;
  }

  private static void passOn(Value from, Node node, Map<Value, Affine> limits) {
    Affine limit = limits.get(from);
    if (limit != null && limit.isConstant() && limit.constant() <= Integer.MAX_VALUE) {
      limits.put(node.output(), limit);
    }
  }

  private static Node trusting(Node node, Map<Value, Affine> limits) {
    if (!(node.op() instanceof Op.Gather(var selection, IndexBounds bounds))
        || !bounds.equals(IndexBounds.EITHER_END)) {
      return node;
    }
    Affine limit = limits.get(node.inputs().get(1));
    TensorType data = node.inputs().getFirst().type();
    Addressing addressing = Addressing.of(selection, data, node.inputs().get(1).type());
    boolean fits =
        limit != null
            && IntStream.range(0, addressing.tupleLength())
                .allMatch(c -> limit.isAtMost(data.dim(addressing.dataAxis(c))));
    Op trusting = new Op.Gather(selection, IndexBounds.TRUSTED);
    return fits
        ? Rewrite.with(node, trusting, node.epilogue(), node.operands(), node.inputs())
        : node;
  }
}
