package io.miniinference.pass.views;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which values of a graph hold [Places], and which hold tuples of them along their last axis; told
/// node by node.
final class NumberedValues {
  private final Map<Value, Places> places = new HashMap<>();
  private final Map<Value, List<Places>> tuples = new HashMap<>();

  NumberedValues(Graph graph) {
    graph
        .constants()
        .forEach((value, tensor) -> Places.of(tensor).ifPresent(known -> places.put(value, known)));
  }

  Optional<Places> places(Value value) {
    return Optional.ofNullable(places.get(value));
  }

  /// The places at each index of the last axis.
  Optional<List<Places>> tuples(Value value) {
    List<Places> single = isSingle(value) ? places(value).map(List::of).orElse(null) : null;
    return Optional.ofNullable(tuples.getOrDefault(value, single));
  }

  private static boolean isSingle(Value value) {
    TensorType type = value.type();
    return type.rank() > 0 && type.dim(type.rank() - 1).equals(Affine.ONE);
  }

  /// Notes what a node makes, after those before it.
  void add(Node node) {
    if (node.epilogue() == null) {
      switch (node.op()) {
        case Op.Elementwise map ->
            Places.of(map.expr(), map.type(), k -> operand(node.inputs().get(k), map.type()))
                .ifPresent(known -> places.put(node.output(), known));
        case Op.View view -> view(view, node);
        case Op.Concat concat -> concat(concat, node);
        case Op.Reduce _, Op.Indexed _, Op.Regular _, Op.Control _ -> {}
      }
    }
  }

  private Optional<Places> operand(Value value, TensorType result) {
    return places(value).map(known -> known.broadcast(result.rank()));
  }

  private void view(Op.View view, Node node) {
    Value from = node.inputs().getFirst();
    places(from)
        .flatMap(known -> known.under(view.map(), from.type(), node.output().type()))
        .ifPresent(known -> places.put(node.output(), known));
  }

  private void concat(Op.Concat concat, Node node) {
    List<Places> parts =
        node.inputs().stream().flatMap(part -> tuples(part).orElse(List.of()).stream()).toList();
    Affine length = node.output().type().dim(concat.axis());
    boolean isTuple = concat.axis() == node.output().type().rank() - 1;
    if (isTuple && length.equals(Affine.of(parts.size()))) {
      tuples.put(node.output(), parts);
    }
  }
}
