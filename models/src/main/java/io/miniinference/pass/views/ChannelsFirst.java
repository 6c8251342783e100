package io.miniinference.pass.views;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Computes channels first what lies channels last between convolutions and pools: the transpose
/// behind one moves behind what follows, meets the one ahead of the next, and both are gone. Keras
/// and TensorFlow have channels last, and their exporters put each convolution between two
/// transposes; a bias, a normalisation and an activation behind it become its epilogue only where
/// nothing lies between.
///
/// Maps of each element, padding, parts and concatenations are moved ahead if what they give gets
/// to a transpose that puts channels first, and sums over all spatial axes.
public final class ChannelsFirst implements Pass {
  private static final String FIRST = " channels first";

  @Override
  public Graph apply(Graph graph) {
    Set<Value> wanted = isOfPictures(graph) ? new ChannelsWanted(graph).values() : Set.of();
    return wanted.isEmpty() ? graph : new DeadCode().apply(new Moving(graph, wanted).graph());
  }

  /* Whether a node gives channels first; texts are planned for each length, and need no more. */
  private static boolean isOfPictures(Graph graph) {
    return graph.nodes().stream().anyMatch(node -> givesFirst(node.op()));
  }

  private static boolean givesFirst(Op op) {
    return op instanceof Op.Convolution || op instanceof Op.WindowReduce;
  }

  /// The transpose of a value of some rank from channels first to channels last.
  static Movement.Transpose last(int rank) {
    return new Movement.Transpose(
        IntStream.range(0, rank)
            .mapToObj(axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1)
            .toList());
  }

  /// Whether a reduction takes all axes but the first and the last, the channels.
  static boolean isSpatial(Op.Reduce reduce, int rank) {
    return rank > 2
        && Set.copyOf(reduce.axes())
            .equals(Set.copyOf(IntStream.range(1, rank - 1).boxed().toList()));
  }

  private static final class Moving {
    private final Graph graph;
    private final Set<Value> wanted;
    private final Fallible fallible;
    private final FreshNames names;
    private final List<Node> nodes = new ArrayList<>();

    /// What convolutions and pools give, and what is computed of that, channels first.
    private final Set<Value> first = new HashSet<>();

    /// By what lies channels last the same channels first.
    private final Map<Value, Value> sources = new HashMap<>();

    /// Values that are others again, whose transposes have met.
    private final Map<Value, Value> same = new HashMap<>();

    private final Map<Value, Value> constants = new HashMap<>();

    Moving(Graph graph, Set<Value> wanted) {
      this.graph = graph;
      this.wanted = wanted;
      fallible = Fallible.in(graph);
      names = new FreshNames(graph);
    }

    Graph graph() {
      for (Node original : graph.nodes()) {
        Node node = Rewrite.inputs(original, same);
        if (!moves(node)) {
          add(node);
        }
      }
      return Rewrite.nodes(graph, nodes);
    }

    private void add(Node node) {
      nodes.add(node);
      boolean isOfFirst = node.inputs().stream().anyMatch(first::contains);
      switch (node.op()) {
        case Op op when givesFirst(op) -> first.add(node.output());
        case Op.Elementwise _, Op.Concat _, Op.View(Movement.Slice _) when isOfFirst ->
            first.add(node.output());
        case Op.View(Movement.Transpose transpose) -> transposed(node, transpose);
        default -> {}
      }
    }

    private void transposed(Node node, Movement.Transpose transpose) {
      Value input = node.inputs().getFirst();
      Value output = node.output();
      Movement.Transpose last = last(output.type().rank());
      Value source = sources.get(input);
      if (first.contains(input) && transpose.equals(last)) {
        sources.put(output, input);
      } else if (source != null
          && transpose.equals(last.inverse())
          && source.type().equals(output.type())) {
        same.put(output, source);
      }
    }

    private boolean moves(Node node) {
      return switch (node.op()) {
        case Op.Elementwise map when wanted.contains(node.output()) -> movesMap(node, map);
        case Op.Concat(int axis) when wanted.contains(node.output()) ->
            allMoved(node, new Op.Concat(last(rank(node)).permutation().get(axis)));
        case Op.View(Movement.Slice slice) when wanted.contains(node.output()) ->
            allMoved(node, new Op.View(permuted(slice)));
        case Op.Reduce reduce when sources.containsKey(node.inputs().getFirst()) ->
            movesSum(node, reduce);
        default -> false;
      };
    }

    private static int rank(Node node) {
      return node.output().type().rank();
    }

    private boolean allMoved(Node node, Op op) {
      if (!node.inputs().stream().allMatch(sources::containsKey)) {
        return false;
      }
      add(node, op, node.inputs().stream().map(sources::get).toList());
      return true;
    }

    private static Movement.Slice permuted(Movement.Slice slice) {
      return new Movement.Slice(
          permuted(slice.starts()), permuted(slice.steps()), permuted(slice.extents()));
    }

    /* From the order of axes with channels last to that with channels first. */
    private static <T> List<T> permuted(List<T> byAxis) {
      return last(byAxis.size()).inverse().axes(byAxis);
    }

    /* The node channels first, and what it gave as a transpose of that. */
    private void add(Node node, Op op, List<Value> inputs) {
      Value result = node.output();
      TensorType type = result.type();
      Value made =
          new Value(
              names.of(result.name() + FIRST),
              new TensorType(type.element(), permuted(type.shape())));
      nodes.add(Rewrite.part(node, op, inputs, made));
      nodes.add(Rewrite.part(node, new Op.View(last(type.rank())), List.of(made), result));
      first.add(made);
      sources.put(result, made);
    }

    private boolean movesSum(Node node, Op.Reduce reduce) {
      int rank = node.inputs().getFirst().type().rank();
      if (reduce.kind().isArg() || !isSpatial(reduce, rank) || node.epilogue() != null) {
        return false;
      }
      List<Integer> axes = IntStream.range(2, rank).boxed().toList();
      Op op = new Op.Reduce(reduce.kind(), axes, reduce.keepDims(), reduce.map());
      List<Value> inputs = List.of(source(node.inputs().getFirst()));
      if (reduce.keepDims()) {
        add(node, op, inputs);
      } else {
        nodes.add(Rewrite.with(node, op, node.epilogue(), node.operands(), inputs));
      }
      return true;
    }

    private Value source(Value value) {
      Value source = sources.get(value);
      if (source == null) {
        throw new IllegalStateException(value + " has no source");
      }
      return source;
    }

    private boolean movesMap(Node node, Op.Elementwise map) {
      int rank = rank(node);
      List<Value> inputs = new ArrayList<>();
      Set<Integer> direct = ExprTree.directArgs(map.expr());
      Set<Integer> computed = ExprTree.computedArgs(map.expr());
      for (int k = 0; k < node.inputs().size(); k++) {
        Value moved = operand(node.inputs().get(k), rank, direct.contains(k), computed.contains(k));
        if (moved == null) {
          return false;
        }
        inputs.add(moved);
      }
      boolean isMoved = node.inputs().stream().anyMatch(sources::containsKey);
      if (!isMoved || fallible.mayFail(node)) {
        return false;
      }
      TensorType type = new TensorType(map.type().element(), permuted(map.type().shape()));
      Expr expr = permuted(map.expr(), node.inputs(), last(rank).permutation());
      add(node, new Op.Elementwise(expr, type), inputs);
      return true;
    }

    /* An operand channels first; null if it is none. */
    private @Nullable Value operand(Value value, int rank, boolean direct, boolean computed) {
      if (sources.containsKey(value)) {
        return value.type().rank() == rank ? source(value) : null;
      }
      boolean isOne = value.type().shape().stream().allMatch(Affine.ONE::equals);
      if (!direct || isOne) {
        return value;
      }
      return graph.constants().containsKey(value) && !computed
          ? constants.computeIfAbsent(value, it -> constant(it, rank))
          : null;
    }

    private Value constant(Value value, int rank) {
      List<Affine> shape =
          new ArrayList<>(Collections.nCopies(rank - value.type().rank(), Affine.ONE));
      shape.addAll(value.type().shape());
      String name = value.name();
      Value whole =
          value.type().rank() == rank
              ? value
              : view(value, name + " of all axes", new Movement.Reshape(shape), shape);
      return view(whole, name + FIRST, last(rank).inverse(), permuted(shape));
    }

    private Value view(Value value, String name, Movement map, List<Affine> shape) {
      TensorType type = new TensorType(value.type().element(), shape);
      Value result = new Value(names.of(name), type);
      nodes.add(Node.of(value.name(), "Constant", new Op.View(map), List.of(value), result));
      return result;
    }

    private Expr permuted(Expr expr, List<Value> inputs, List<Integer> last) {
      return switch (expr) {
        case Expr.Index(int axis) -> new Expr.Index(last.get(axis));
        case Expr.At(int index, List<Expr> coordinates) -> {
          List<Expr> moved = coordinates.stream().map(it -> permuted(it, inputs, last)).toList();
          boolean isMoved = sources.containsKey(inputs.get(index));
          yield new Expr.At(index, isMoved ? permuted(moved) : moved);
        }
        default -> ExprTree.mapChildren(expr, child -> permuted(child, inputs, last));
      };
    }
  }
}
