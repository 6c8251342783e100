package io.miniinference.pass;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One run of [FuseElementwise]: each node, in order, takes in what stands before it.
final class Fusion {
  private final Graph graph;
  private final FusionOptions options;
  private final NodeSlots slots;
  private final Fallible fallible;
  private final Epilogues epilogues;

  Fusion(Graph graph, FusionOptions options) {
    this.graph = graph;
    this.options = options;
    this.slots = new NodeSlots(graph);
    this.fallible = Fallible.in(graph);
    this.epilogues = new Epilogues(graph, options, slots, fallible);
  }

  Graph run() {
    for (int place : slots.places()) {
      Node node = slots.at(place);
      if (node != null && node.op() instanceof Op.Elementwise) {
        elementwise(place, node);
      } else if (node != null && node.op() instanceof Op.Reduce && options.reduceMaps()) {
        reduce(place, node);
      }
    }
    return Rewrite.nodes(graph, slots.nodes());
  }

  private void elementwise(int place, Node original) {
    Node node = withScalars(original);
    slots.set(place, node);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Value input : node.inputs()) {
        Node merged = inlined(place, node, input);
        if (merged != null) {
          node = merged;
          changed = true;
          break;
        }
      }
    }
    epilogues.take(place, node);
  }

  private static Op.Elementwise op(Node node) {
    return (Op.Elementwise) node.op();
  }

  /* The node with constants of one element in its expression, and each other input once. */
  private Node withScalars(Node node) {
    Map<Integer, Expr> constants = new HashMap<>();
    Set<Integer> computed = ExprTree.computedArgs(op(node).expr());
    for (int k = 0; k < node.inputs().size(); k++) {
      Tensor tensor = graph.constants().get(node.inputs().get(k));
      if (tensor != null && tensor.elements() == 1 && !computed.contains(k)) {
        constants.put(k, ElementBits.read(tensor, 0));
      }
    }
    return packed(node, ExprTree.substitute(op(node).expr(), constants), node.inputs());
  }

  private static Node packed(Node node, Expr expr, List<Value> inputs) {
    OperandList operands = new OperandList();
    Expr packed = operands.pack(expr, inputs);
    Op op = new Op.Elementwise(packed, op(node).type());
    return Rewrite.with(node, op, null, operands.size(), operands.values());
  }

  /* The node with the elementwise producer of `input` taken in, or null if that may not be. */
  private @Nullable Node inlined(int place, Node node, Value input) {
    Integer from = slots.producerOf(input);
    Node producer = from == null ? null : slots.at(from);
    if (from == null || producer == null || !(producer.op() instanceof Op.Elementwise source)) {
      return null;
    }
    if (!mayInline(place, node, producer, source.expr())) {
      return null;
    }
    List<Value> inputs = new ArrayList<>(node.inputs());
    inputs.addAll(producer.inputs());
    int shift = node.inputs().size();
    Expr moved = ExprTree.renumber(source.expr(), k -> k + shift);
    int k = node.inputs().indexOf(input);
    Node merged = packed(node, ExprTree.substitute(op(node).expr(), Map.of(k, moved)), inputs);
    if (!options.accepts(merged, graph)) {
      return null;
    }
    if (slots.isReadOnlyAt(input, place)) {
      slots.remove(from);
    }
    slots.set(place, merged);
    return merged;
  }

  private boolean mayInline(int place, Node node, Node producer, Expr source) {
    Expr expr = op(node).expr();
    int k = node.inputs().indexOf(producer.output());
    int uses = ExprTree.uses(expr, k);
    int size = ExprTree.size(source);
    boolean sameShape = node.output().type().shape().equals(producer.output().type().shape());
    boolean cheap =
        size <= options.cheap()
            && ExprTree.directArgs(source).size() <= 1
            && !ExprTree.isPositional(source);
    boolean single = slots.isReadOnlyAt(producer.output(), place);
    return !ExprTree.computedArgs(expr).contains(k)
        && !fallible.mayFail(producer)
        && !fallible.mayFail(node)
        && (sameShape || cheap)
        && (single || (cheap && allReadersTake(producer.output())))
        && options.fits(ExprTree.size(expr), size, uses);
  }

  /* Whether every reader is elementwise and reads at its own index: then the value goes away. */
  private boolean allReadersTake(Value value) {
    return !slots.isOutput(value)
        && slots.readersOf(value).stream()
            .map(slots::at)
            .allMatch(n -> n != null && takes(n, value));
  }

  private static boolean takes(Node node, Value value) {
    return node.op() instanceof Op.Elementwise(Expr expr, _)
        && !ExprTree.computedArgs(expr).contains(node.inputs().indexOf(value));
  }

  /* The reduction with the elementwise producer of its operand as part of its element map. */
  private void reduce(int place, Node node) {
    Op.Reduce reduce = (Op.Reduce) node.op();
    Value input = node.inputs().getFirst();
    Integer from = slots.producerOf(input);
    Node producer = from == null ? null : slots.at(from);
    if (from == null || producer == null || !(producer.op() instanceof Op.Elementwise source)) {
      return;
    }
    if (!slots.isReadOnlyAt(input, place)
        || node.epilogueValues().contains(input)
        || !mayMap(producer, source, reduce)) {
      return;
    }
    Expr map = ExprTree.substitute(reduce.map(), Map.of(0, source.expr()));
    List<Value> inputs = new ArrayList<>(node.inputs());
    inputs.set(0, producer.inputs().getFirst());
    Op op = new Op.Reduce(reduce.kind(), reduce.axes(), reduce.keepDims(), map);
    Node merged = Rewrite.with(node, op, node.epilogue(), node.operands(), inputs);
    if (options.accepts(merged, graph)) {
      slots.remove(from);
      slots.set(place, merged);
    }
  }

  private boolean mayMap(Node producer, Op.Elementwise source, Op.Reduce reduce) {
    TensorType type = producer.output().type();
    return producer.inputs().size() == 1
        && producer.inputs().getFirst().type().shape().equals(type.shape())
        && !ExprTree.isPositional(source.expr())
        && !fallible.mayFail(producer)
        && options.fits(
            ExprTree.size(reduce.map()),
            ExprTree.size(source.expr()),
            ExprTree.uses(reduce.map(), 0));
  }
}
