package io.miniinference.pass.views;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Transposes as it is what is reshaped for it and back: `[N, heads, S, D]` as one stack of
/// matrices, each transposed, in `[N, heads, D, S]` again. PyTorch's exporter writes the keys of
/// attention so, and heads of a projection are no one axis without a copy.
public final class MatrixTransposes implements Pass {
  @Override
  public Graph apply(Graph graph) {
    Map<Value, Node> views = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    for (Node original : graph.nodes()) {
      Node node = direct(original, views).orElse(original);
      if (node.op() instanceof Op.View) {
        views.put(node.output(), node);
      }
      nodes.add(node);
    }
    return Rewrite.nodes(graph, nodes);
  }

  private static Optional<Node> direct(Node node, Map<Value, Node> views) {
    if (!(node.op() instanceof Op.View(Movement.Reshape _))) {
      return Optional.empty();
    }
    Node transpose = views.get(node.inputs().getFirst());
    Node joined = transpose == null ? null : views.get(transpose.inputs().getFirst());
    List<Integer> permutation = permutation(transpose);
    return joined != null
            && joined.op() instanceof Op.View(Movement.Reshape _)
            && !permutation.isEmpty()
            && permutation.getFirst() == 0
        ? direct(node, joined, permutation)
        : Optional.empty();
  }

  private static List<Integer> permutation(@Nullable Node node) {
    return node != null && node.op() instanceof Op.View(Movement.Transpose transpose)
        ? transpose.permutation()
        : List.of();
  }

  private static Optional<Node> direct(Node node, Node joined, List<Integer> permutation) {
    Value source = joined.inputs().getFirst();
    List<Affine> from = source.type().shape();
    List<Affine> stack = joined.output().type().shape();
    int stacked = from.size() - stack.size() + 1;
    if (stacked < 1 || !from.subList(stacked, from.size()).equals(stack.subList(1, stack.size()))) {
      return Optional.empty();
    }
    List<Integer> whole =
        IntStream.concat(
                IntStream.range(0, stacked),
                permutation.stream().skip(1).mapToInt(axis -> stacked + axis - 1))
            .boxed()
            .toList();
    List<Affine> shape = whole.stream().map(from::get).toList();
    return shape.equals(node.output().type().shape())
        ? Optional.of(
            Rewrite.with(
                node, new Op.View(new Movement.Transpose(whole)), null, 1, List.of(source)))
        : Optional.empty();
  }
}
