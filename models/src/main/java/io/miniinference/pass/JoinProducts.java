package io.miniinference.pass;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes one product of those that attention has of one operand, most often its queries, keys and
/// values: their weights stand side by side in one matrix, and each is a part of what it gives. It
/// is one launch, and each row of the operand is read once. So are convolutions of one window and
/// operand that other convolutions read, as the branches of an Inception block.
///
/// It runs behind [FuseAttention], for targets that gain by it: attention and convolutions read
/// their operands as they lie, where others might have to copy a part of a row first.
public final class JoinProducts implements Pass {
  /// Bytes of all weights that are put side by side: until they are in the pool, the host has them
  /// twice.
  private static final long MOST_BYTES = 64L << 20;

  private final Evaluator evaluator;
  private final FusionTarget target;

  /// @param evaluator puts weights side by side
  public JoinProducts(Evaluator evaluator, FusionTarget target) {
    this.evaluator = evaluator;
    this.target = target;
  }

  @Override
  public Graph apply(Graph graph) {
    boolean isWanted =
        graph.nodes().stream()
            .anyMatch(node ->
                (node.op() instanceof Op.MatMul || node.op() instanceof Op.Conv)
                    && target.joins(node));
    return isWanted ? new DeadCode().apply(new Joining(graph, evaluator, target).graph()) : graph;
  }

  /// What products have in common that may be one.
  private record Alike(Value operand, Op op, @Nullable Expr epilogue, Affine depth) {}

  private static final class Joining {
    private final Graph graph;
    private final Evaluator evaluator;
    private final FusionTarget target;
    private final FreshNames names;
    private final Map<Value, Tensor> constants;
    private final Set<Value> forAttention;
    private final Set<Value> forConvolutions;

    /// Bytes of weights so far.
    private long bytes;

    Joining(Graph graph, Evaluator evaluator, FusionTarget target) {
      this.graph = graph;
      this.evaluator = evaluator;
      this.target = target;
      names = new FreshNames(graph);
      constants = new LinkedHashMap<>(graph.constants());
      forAttention = readBy(graph, node -> node.op() instanceof Op.Attention);
      forConvolutions = readBy(graph, Joining::isDense);
    }

    /* Values that nothing but such nodes reads, through views or at once. */
    private static Set<Value> readBy(Graph graph, Predicate<Node> readers) {
      Set<Value> others = new HashSet<>(graph.outputs());
      Set<Value> read = new HashSet<>();
      for (Node node : graph.nodes().reversed()) {
        boolean isFor =
            readers.test(node) || (node.op() instanceof Op.View && !others.contains(node.output()));
        (isFor ? read : others).addAll(node.inputs());
      }
      read.removeAll(others);
      return read;
    }

    Graph graph() {
      Map<Alike, List<Node>> groups = new LinkedHashMap<>();
      graph.nodes().stream()
          .filter(node -> isOfAttention(node) || isOfConvolutions(node))
          .filter(target::joins)
          .forEach(node -> groups.computeIfAbsent(alike(node), _ -> new ArrayList<>()).add(node));
      Map<Value, List<Node>> instead = new HashMap<>();
      groups.values().stream()
          .filter(group -> group.size() > 1)
          .forEach(group ->
              joined(group)
                  .ifPresent(nodes -> {
                    group.forEach(node -> instead.put(node.output(), List.of()));
                    instead.put(group.getFirst().output(), nodes);
                  }));
      List<Node> nodes =
          graph.nodes().stream()
              .flatMap(
                  node -> instead.getOrDefault(node.outputs().getFirst(), List.of(node)).stream())
              .toList();
      return Rewrite.nodes(graph, nodes, constants);
    }

    private boolean isOfAttention(Node node) {
      return node.op() instanceof Op.MatMul(boolean transposeA, boolean _, boolean exact)
          && !transposeA
          && !exact
          && forAttention.contains(node.output())
          && isOfNumbers(node, 2, 1);
    }

    private boolean isOfConvolutions(Node node) {
      return isDense(node)
          && forConvolutions.contains(node.output())
          && isOfNumbers(node, rank(node), rank(node) - 1);
    }

    private static int rank(Node node) {
      return node.output().type().rank();
    }

    /* Whether it multiplies weights of floats of one rank, with an epilogue of numbers, of another
    rank, for each column or channel. */
    private boolean isOfNumbers(Node node, int weights, int numbers) {
      Affine each = node.output().type().dim(parted(node));
      return node.output().type().element() == ElementType.F32
          && isKnown(node.inputs().get(1), weights)
          && (node.epilogue() == null || !ExprTree.isPositional(node.epilogue()))
          && node.epilogueValues().stream()
              .allMatch(value ->
                  isKnown(value, numbers)
                      && value.type().elements().equals(each)
                      && value.type().dim(0).equals(each));
    }

    private static boolean isDense(Node node) {
      return node.op() instanceof Op.Conv(Window _, int groups, boolean exact)
          && groups == 1
          && !exact;
    }

    private boolean isKnown(Value value, int rank) {
      return constants.containsKey(value)
          && value.type().rank() == rank
          && value.type().element() == ElementType.F32;
    }

    private static Alike alike(Node node) {
      Affine depth = node.inputs().get(1).type().dim(1 - columns(node));
      return new Alike(node.inputs().getFirst(), node.op(), node.epilogue(), depth);
    }

    /* The axis of the weights along which they stand side by side. */
    private static int columns(Node node) {
      return node.op() instanceof Op.MatMul product && !product.transposeB() ? 1 : 0;
    }

    /* The axis of the result along which it has parts. */
    private static int parted(Node node) {
      return node.op() instanceof Op.Conv ? 1 : rank(node) - 1;
    }

    /* One product and its parts. */
    private Optional<List<Node>> joined(List<Node> group) {
      Node first = group.getFirst();
      List<Value> inputs = new ArrayList<>(List.of(first.inputs().getFirst()));
      for (int k = 1; k < first.inputs().size(); k++) {
        int place = k;
        int axis = k == 1 ? columns(first) : 0;
        Optional<Value> beside =
            sideBySide(group.stream().map(node -> node.inputs().get(place)).toList(), axis, first);
        if (beside.isEmpty()) {
          return Optional.empty();
        }
        inputs.add(beside.get());
      }
      return Optional.of(parts(group, inputs));
    }

    private Optional<Value> sideBySide(List<Value> values, int axis, Node node) {
      Affine along =
          values.stream().map(value -> value.type().dim(axis)).reduce(Affine.ZERO, Affine::plus);
      List<Affine> shape = new ArrayList<>(values.getFirst().type().shape());
      shape.set(axis, along);
      TensorType type = new TensorType(ElementType.F32, shape);
      long size = type.elements().constant() * Float.BYTES;
      if (size > MOST_BYTES - bytes) {
        return Optional.empty();
      }
      bytes += size;
      Value whole = new Value(names.of(values.getFirst().name() + " and others"), type);
      List<Tensor> tensors =
          values.stream().map(value -> Objects.requireNonNull(constants.get(value))).toList();
      return evaluator
          .evaluate(Rewrite.part(node, new Op.Concat(axis), values, whole), tensors)
          .map(results -> {
            constants.put(whole, results.getFirst());
            return whole;
          });
    }

    private List<Node> parts(List<Node> group, List<Value> inputs) {
      Node first = group.getFirst();
      List<Affine> shape = new ArrayList<>(first.output().type().shape());
      int axis = parted(first);
      shape.set(axis, inputs.get(1).type().dim(columns(first)));
      TensorType type = first.output().type().withShape(shape);
      Value whole = new Value(names.of(first.output().name() + " and others"), type);
      Node product =
          new Node(first.name(), first.onnxOp(), first.op(), first.epilogue(), 2, inputs, whole);
      List<Node> parts = new ArrayList<>();
      Affine start = Affine.ZERO;
      for (Node node : group) {
        List<Affine> own = node.output().type().shape();
        Movement part = Movement.part(own, axis, start, own.get(axis));
        parts.add(Rewrite.part(node, new Op.View(part), List.of(whole), node.output()));
        start = start.plus(own.get(axis));
      }
      return Stream.concat(Stream.of(product), parts.stream()).toList();
    }
  }
}
