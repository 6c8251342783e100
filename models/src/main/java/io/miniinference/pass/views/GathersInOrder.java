package io.miniinference.pass.views;

import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Makes views of Gathers whose indices are known to name places in their order, all of which are
/// there: a view costs no launch and no memory, and cannot fail.
///
/// PyTorch's exporters write them: one of the three parts of a projection (`Gather(qkv, 1)`), and
/// masks that are indexed by the number of the row and the number of the key (`GatherND`).
public final class GathersInOrder implements Pass {
  @Override
  public Graph apply(Graph graph) {
    NumberedValues numbered = new NumberedValues(graph);
    FreshNames names = new FreshNames(graph);
    List<Node> nodes = new ArrayList<>();
    for (Node node : graph.nodes()) {
      List<Node> written = views(node, numbered, names).orElse(List.of(node));
      written.forEach(numbered::add);
      nodes.addAll(written);
    }
    return Rewrite.nodes(graph, nodes);
  }

  private static Optional<List<Node>> views(Node node, NumberedValues numbered, FreshNames names) {
    if (!(node.op() instanceof Op.Gather(Selection selection, IndexBounds bounds))
        || node.epilogue() != null
        || bounds.ignored() != null
        || bounds.size() != null) {
      return Optional.empty();
    }
    Value indices = node.inputs().get(1);
    return switch (selection) {
      case Selection.Slices(int axis) ->
          numbered.places(indices).flatMap(places -> slices(new Views(node, names), axis, places));
      case Selection.Tuples(int batchDims) when batchDims == 0 ->
          numbered.tuples(indices).flatMap(places -> tuples(new Views(node, names), places));
      case Selection.Tuples _, Selection.Elements _ -> Optional.empty();
    };
  }

  private static Optional<List<Node>> slices(Views views, int axis, Places places) {
    Node node = views.gather;
    TensorType data = node.inputs().getFirst().type();
    TensorType indices = node.inputs().get(1).type();
    boolean isEach = Places.longAxes(indices).equals(places.axes());
    return places
        .count(indices)
        .filter(count -> isEach && places.areOn(data.dim(axis), count))
        .map(count -> views.slice(axis, places, count).toResult());
  }

  /* Each place of a tuple counts along an axis of its own, in the order of the data's axes. */
  private static Optional<List<Node>> tuples(Views views, List<Places> tuple) {
    Node node = views.gather;
    TensorType data = node.inputs().getFirst().type();
    TensorType indices = node.inputs().get(1).type();
    List<Integer> counted = tuple.stream().flatMap(places -> places.axes().stream()).toList();
    boolean isOrdered = counted.equals(counted.stream().distinct().sorted().toList());
    for (int i = 0; i < tuple.size(); i++) {
      Places places = tuple.get(i);
      Affine count = places.count(indices).orElse(null);
      if (!isOrdered || count == null || !places.areOn(data.dim(i), count)) {
        return Optional.empty();
      }
      views.slice(i, places, count);
    }
    return Optional.of(views.spread(counted).toResult());
  }

  /// Views one after the other from a Gather's data to its result.
  private static final class Views {
    private final Node gather;
    private final FreshNames names;
    private final List<Movement> maps = new ArrayList<>();
    private TensorType type;

    Views(Node gather, FreshNames names) {
      this.gather = gather;
      this.names = names;
      type = gather.inputs().getFirst().type();
    }

    private void to(Movement map, List<Affine> shape) {
      if (!shape.equals(type.shape())) {
        maps.add(map);
        type = type.withShape(shape);
      }
    }

    Views slice(int axis, Places places, Affine count) {
      int rank = type.rank();
      List<Affine> starts = new ArrayList<>(Collections.nCopies(rank, Affine.ZERO));
      List<Long> steps = new ArrayList<>(Collections.nCopies(rank, 1L));
      List<Affine> extents = new ArrayList<>(type.shape());
      starts.set(axis, Affine.of(places.start()));
      steps.set(axis, places.step());
      extents.set(axis, count);
      to(new Movement.Slice(starts, steps, extents), extents);
      return this;
    }

    /* Puts counted axes where the result has them, and repeats all along its others. */
    Views spread(List<Integer> counted) {
      List<Affine> shape = new ArrayList<>(gather.output().type().shape());
      int tuples = gather.inputs().get(1).type().rank() - 1;
      IntStream.range(0, tuples)
          .filter(axis -> !counted.contains(axis))
          .forEach(axis -> shape.set(axis, Affine.ONE));
      to(new Movement.Reshape(shape), shape);
      List<Affine> result = gather.output().type().shape();
      to(new Movement.Expand(result), result);
      return this;
    }

    List<Node> toResult() {
      List<Affine> shape = gather.output().type().shape();
      if (maps.isEmpty() || !type.shape().equals(shape)) {
        maps.add(new Movement.Reshape(shape));
      }
      List<Node> nodes = new ArrayList<>();
      Value from = gather.inputs().getFirst();
      for (int i = 0; i < maps.size(); i++) {
        Value to = i == maps.size() - 1 ? gather.output() : between(i, maps.get(i));
        nodes.add(Rewrite.part(gather, new Op.View(maps.get(i)), List.of(from), to));
        from = to;
      }
      return nodes;
    }

    private Value between(int place, Movement map) {
      List<Affine> shape =
          switch (map) {
            case Movement.Slice slice -> slice.extents();
            case Movement.Reshape reshape -> reshape.shape();
            case Movement.Expand expand -> expand.shape();
            case Movement.Transpose _ -> throw new IllegalStateException("no view of these");
          };
      return new Value(names.of(gather.output().name() + " place " + place), type.withShape(shape));
    }
  }
}
