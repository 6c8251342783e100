package io.miniinference.pass.views;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Computes what is made of each element of a concatenation ahead of it, part by part, where all
/// parts are convolutions or products that nothing else reads: each takes its part as an epilogue
/// then, and the whole is not read and written once more. Inception blocks have a normalisation and
/// a Relu behind their Concat.
///
/// Constants with a number for each index of the axis, such as a normalisation's scales, are parted
/// with it.
public final class MapsBeforeConcat implements Pass {
  private final Evaluator evaluator;
  private final FusionTarget target;

  /// @param evaluator parts constants
  /// @param target asked about each concatenation
  public MapsBeforeConcat(Evaluator evaluator, FusionTarget target) {
    this.evaluator = evaluator;
    this.target = target;
  }

  @Override
  public Graph apply(Graph graph) {
    boolean isWanted = graph.nodes().stream().anyMatch(node -> node.op() instanceof Op.Concat);
    return isWanted ? new Moving(graph, evaluator, target).graph() : graph;
  }

  private static final class Moving {
    private final Graph graph;
    private final Evaluator evaluator;
    private final FusionTarget target;
    private final Fallible fallible;
    private final FreshNames names;
    private final Makers makers;
    private final Map<Value, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();

    /// Maps of parts, each right behind what makes the part: a value of its own lives no longer.
    private final Map<Value, Node> behind = new HashMap<>();

    /// What contractions give, and elementwise nodes that may become epilogues of them.
    private final Set<Value> hosted = new HashSet<>();

    Moving(Graph graph, Evaluator evaluator, FusionTarget target) {
      this.graph = graph;
      this.evaluator = evaluator;
      this.target = target;
      fallible = Fallible.in(graph);
      names = new FreshNames(graph);
      makers = new Makers(graph);
      constants = new LinkedHashMap<>(graph.constants());
    }

    Graph graph() {
      for (Node node : graph.nodes()) {
        Node left = moved(node).orElse(node);
        nodes.add(left);
        makers.add(left);
        if (isHosted(left)) {
          hosted.add(left.output());
        }
      }
      return behind.isEmpty()
          ? graph
          : new DeadCode().apply(Rewrite.nodes(graph, inOrder(), constants));
    }

    private List<Node> inOrder() {
      List<Node> all = new ArrayList<>();
      for (Node node : nodes) {
        all.add(node);
        Node next = behind.get(node.outputs().getFirst());
        while (next != null) {
          all.add(next);
          next = behind.get(next.output());
        }
      }
      return all;
    }

    /* The concatenation that gives a node's result, once what the node computes is done of its parts. */
    private Optional<Node> moved(Node node) {
      Node concat = concat(node);
      if (concat == null || !(concat.op() instanceof Op.Concat(int axis))) {
        return Optional.empty();
      }
      List<Value> parts = new ArrayList<>();
      Affine start = Affine.ZERO;
      for (Value part : concat.inputs()) {
        parts.add(ofPart(node, concat.output(), part, axis, start));
        start = start.plus(part.type().dim(axis));
      }
      return Optional.of(Rewrite.part(concat, concat.op(), parts, node.output()));
    }

    private Value ofPart(Node node, Value whole, Value part, int axis, Affine start) {
      Affine extent = part.type().dim(axis);
      List<Value> inputs =
          node.inputs().stream()
              .map(input -> input.equals(whole) ? part : part(node, input, axis, start, extent))
              .toList();
      TensorType type = node.output().type().withShape(part.type().shape());
      Value result = new Value(names.of(node.output().name() + " of a part"), type);
      Node map = Rewrite.part(node, new Op.Elementwise(expr(node), type), inputs, result);
      behind.put(part, map);
      makers.add(map);
      hosted.add(result);
      makers.setReadOnce(result);
      return result;
    }

    private static Expr expr(Node node) {
      return ((Op.Elementwise) node.op()).expr();
    }

    /* The concatenation that an elementwise node is computed of, if it may be computed of its parts. */
    private @Nullable Node concat(Node node) {
      if (!(node.op() instanceof Op.Elementwise(Expr expr, TensorType type))
          || ExprTree.isPositional(expr)
          || !ExprTree.computedArgs(expr).isEmpty()
          || fallible.mayFail(node)) {
        return null;
      }
      List<Value> computed = computed(node);
      if (computed.size() != 1) {
        return null;
      }
      Value whole = computed.getFirst();
      Node maker = makers.ofReadOnce(whole);
      boolean isConcat =
          maker != null
              && maker.op() instanceof Op.Concat(int axis)
              && whole.type().shape().equals(type.shape())
              && type.element().bytes() <= whole.type().element().bytes()
              && maker.inputs().stream().allMatch(this::isOfHost)
              && node.inputs().stream().allMatch(input -> isParted(input, whole, axis))
              && target.mapsParts(maker);
      return isConcat ? maker : null;
    }

    private boolean isHosted(Node node) {
      if (!(node.op() instanceof Op.Elementwise)) {
        return node.op() instanceof Op.Contraction;
      }
      List<Value> computed = computed(node);
      return computed.size() == 1 && isOfHost(computed.getFirst());
    }

    private boolean isOfHost(Value part) {
      return hosted.contains(part) && makers.ofReadOnce(part) != null;
    }

    private List<Value> computed(Node node) {
      return node.inputs().stream().filter(input -> !constants.containsKey(input)).toList();
    }

    /* Whether a constant has one number for all of the axis, or one for each index of it. */
    private static boolean isParted(Value input, Value whole, int axis) {
      int own = own(input, whole, axis);
      return own < 0
          || input.type().dim(own).isSingle()
          || input.type().dim(own).equals(whole.type().dim(axis));
    }

    /* The axis of an input that goes with one of the whole; negative where it has none. */
    private static int own(Value input, Value whole, int axis) {
      return axis - (whole.type().rank() - input.type().rank());
    }

    private Value part(Node node, Value input, int axis, Affine start, Affine extent) {
      int own = own(input, node.output(), axis);
      if (own < 0 || input.type().dim(own).isSingle()) {
        return input;
      }
      Movement.Slice slice = Movement.part(input.type().shape(), own, start, extent);
      List<Affine> shape = new ArrayList<>(input.type().shape());
      shape.set(own, extent);
      Value part = new Value(names.of(input.name() + " of a part"), input.type().withShape(shape));
      Tensor whole = Objects.requireNonNull(constants.get(input));
      Tensor made =
          evaluator
              .evaluate(
                  Rewrite.part(node, new Op.View(slice), List.of(input), part), List.of(whole))
              .orElseThrow()
              .getFirst();
      constants.put(part, made);
      return part;
    }
  }
}
