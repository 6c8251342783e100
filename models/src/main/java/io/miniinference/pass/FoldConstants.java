package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Movement;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Computes at load what depends on constants only; views of weights are weights again.
///
/// What would be large and is free to make (an expanded constant, a filled or numbered tensor)
/// stays a node where something else than folding reads it, unless it is the weight of a
/// contraction: targets pack constant weights, and multiply by them many times faster than by
/// computed ones. Folding holds `limitBytes` at once at most, and a view that would not fit stays a
/// view. Bodies of nodes are folded with the constants around them, within the same limit.
public final class FoldConstants implements Pass {
  /// Results up to this size are folded whatever they are made of.
  static final long SMALL_BYTES = 64 * 1024;

  private final Evaluator evaluator;
  private final long limitBytes;

  public FoldConstants(Evaluator evaluator, long limitBytes) {
    this.evaluator = evaluator;
    this.limitBytes = limitBytes;
  }

  /// @throws FoldingLimitException if results would take more than the limit
  @Override
  public Graph apply(Graph graph) {
    return new Folding(graph, 0).run();
  }

  @Override
  public Graph everywhere(Graph graph) {
    return apply(graph);
  }

  private final class Folding {
    private final Graph graph;
    private final Map<Value, Tensor> known = new HashMap<>();
    private final Map<Value, Tensor> constants;
    private final Map<Value, Integer> readers = new HashMap<>();
    private final Set<Value> weights = new HashSet<>();
    private final List<Node> kept = new ArrayList<>();
    private final Map<Value, Long> charged = new HashMap<>();
    private long heldBytes;

    /// @param heldBytes what the graph around this one holds
    Folding(Graph graph, long heldBytes) {
      this.graph = graph;
      this.heldBytes = heldBytes;
      this.constants = new LinkedHashMap<>(graph.constants());
      known.putAll(constants);
      graph.outputs().forEach(v -> readers.merge(v, 1, Integer::sum));
      graph.nodes().forEach(n -> n.inputs().forEach(v -> readers.merge(v, 1, Integer::sum)));
      graph.nodes().stream()
          .filter(node -> node.op() instanceof Op.Contraction)
          .forEach(node -> weights.add(node.inputs().get(1)));
    }

    Graph run() {
      for (Node node : graph.nodes()) {
        if (node.op() instanceof Op.Control) {
          kept.add(inside(node));
        } else {
          add(node);
        }
      }
      return new DeadCode().apply(Rewrite.nodes(graph, kept, constants));
    }

    private void add(Node node) {
      List<Tensor> results = fold(node).orElse(List.of());
      for (int i = 0; i < results.size(); i++) {
        hold(node, node.outputs().get(i), results.get(i));
      }
      if (results.isEmpty() || staysNode(node)) {
        kept.add(node);
        return;
      }
      for (int i = 0; i < results.size(); i++) {
        constants.put(node.outputs().get(i), results.get(i));
      }
      node.inputs().forEach(this::release);
    }

    /* What is free to make is made where it is read, but no weight. */
    private boolean staysNode(Node node) {
      return isFree(node) && !weights.contains(node.output());
    }

    private Node inside(Node node) {
      return Rewrite.bodies(Captures.constant(node, constants), this::inside);
    }

    private Graph inside(Graph body) {
      Folding folding = new Folding(body, heldBytes);
      Graph folded = folding.run();
      heldBytes = folding.heldBytes;
      return folded;
    }

    private void hold(Node node, Value output, Tensor tensor) {
      known.put(output, tensor);
      boolean sharesWeight =
          sharesOperand(node) && graph.constants().containsKey(node.inputs().getFirst());
      long bytes = sharesWeight ? 0 : tensor.data().byteSize();
      charged.put(output, bytes);
      heldBytes += bytes;
    }

    private Optional<List<Tensor>> fold(Node node) {
      if (!node.outputs().stream().allMatch(v -> v.type().isStatic())
          || readsBatch(node)
          || !node.inputs().stream().allMatch(known::containsKey)) {
        return Optional.empty();
      }
      List<Tensor> inputs = node.inputs().stream().map(this::content).toList();
      if (sharesOperand(node)) {
        TensorType type = node.output().type();
        MemorySegment whole = inputs.getFirst().data();
        return Optional.of(List.of(new Tensor(type.element(), type.shapeAt(1), whole)));
      }
      long bytes = resultBytes(node);
      if (bytes > limitBytes - heldBytes) {
        if (node.op() instanceof Op.View) {
          return Optional.empty();
        }
        throw new FoldingLimitException(node, bytes, heldBytes, limitBytes);
      }
      return evaluator.evaluate(node, inputs);
    }

    private Tensor content(Value value) {
      return Objects.requireNonNull(known.get(value));
    }

    /* Forgets a folded result that only folding has read, once it has been read for the last time. */
    private void release(Value value) {
      if (readers.merge(value, -1, Integer::sum) == 0 && !graph.constants().containsKey(value)) {
        known.remove(value);
        constants.remove(value);
        heldBytes -= charged.getOrDefault(value, 0L);
      }
    }
  }

  /* A value may depend on the batch size though its shape does not. */
  private static boolean readsBatch(Node node) {
    Expr epilogue = node.epilogue();
    boolean here =
        switch (node.op()) {
          case Op.Elementwise elementwise -> readsBatch(elementwise.expr());
          case Op.Reduce reduce -> readsBatch(reduce.map());
          case Op.Rearrangement _, Op.Indexed _, Op.Regular _, Op.Control _ -> false;
        };
    return here || (epilogue != null && readsBatch(epilogue));
  }

  private static boolean readsBatch(Expr expr) {
    boolean here = expr instanceof Expr.Extent extent && !extent.value().isConstant();
    return here || ExprTree.children(expr).stream().anyMatch(FoldConstants::readsBatch);
  }

  private static boolean sharesOperand(Node node) {
    return node.op() instanceof Op.View(Movement.Reshape _);
  }

  private static long resultBytes(Node node) {
    long sum = 0;
    for (Value output : node.outputs()) {
      long bytes = bytes(output.type());
      sum = bytes > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + bytes;
    }
    return sum;
  }

  /* A saturated size is over any limit. */
  private static long bytes(TensorType type) {
    try {
      return Math.multiplyExact(Tensor.elements(type.shapeAt(1)), (long) type.element().bytes());
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /* Whether a result is made without reading as much as it holds, where it is large. */
  private static boolean isFree(Node node) {
    boolean free =
        switch (node.op()) {
          case Op.View(Movement.Expand _) -> true;
          case Op.Elementwise _ -> node.inputs().isEmpty();
          case Op.Rearrangement _, Op.Reduce _, Op.Indexed _, Op.Regular _, Op.Control _ -> false;
        };
    long result = resultBytes(node);
    return free
        && result > SMALL_BYTES
        && node.inputs().stream().allMatch(v -> bytes(v.type()) < result);
  }
}
