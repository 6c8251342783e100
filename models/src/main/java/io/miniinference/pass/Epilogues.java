package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes elementwise nodes epilogues of operators before them, their hosts.
///
/// @param slots the nodes, which change
record Epilogues(Graph graph, FusionOptions options, NodeSlots slots, Fallible fallible) {

  /// Merges the node at `place` into the latest of the operators before it that can take it.
  void take(int place, Node node) {
    Expr expr = ((Op.Elementwise) node.op()).expr();
    if (fallible.mayFail(node) || !ExprTree.computedArgs(expr).isEmpty()) {
      return;
    }
    node.inputs().stream()
        .map(slots::producerOf)
        .filter(from -> from != null && mayHost(from, place, node))
        .max(Integer::compare)
        .ifPresentOrElse(from -> merge(from, place, node), () -> aheadOfViews(place, node));
  }

  private boolean mayHost(int from, int place, Node node) {
    Node host = slots.at(from);
    return host != null
        && options.takesEpilogue(host.op())
        && slots.isReadOnlyAt(host.output(), place)
        && host.output().type().shape().equals(node.output().type().shape())
        && slots.mayMove(from, place)
        && takes(host, node);
  }

  private boolean takes(Node host, Node node) {
    Expr expr = ((Op.Elementwise) node.op()).expr();
    int uses = ExprTree.uses(expr, node.inputs().indexOf(host.output()));
    int before = host.epilogue() == null ? 0 : ExprTree.size(host.epilogue());
    return options.fits(ExprTree.size(expr), before, uses)
        && options.accepts(withEpilogue(host, node), graph);
  }

  private void merge(int from, int place, Node node) {
    Node host = slots.at(from);
    if (host != null) {
      slots.remove(from);
      slots.set(place, withEpilogue(host, node));
    }
  }

  /* `host` with `node`'s expression after its epilogue, giving `node`'s result. */
  private static Node withEpilogue(Node host, Node node) {
    OperandList extra = new OperandList(1);
    Expr before =
        host.epilogue() == null ? new Expr.Arg(0) : extra.packEpilogue(host.epilogue(), host);
    Map<Integer, Expr> operands = new HashMap<>();
    for (int k = 0; k < node.inputs().size(); k++) {
      Value input = node.inputs().get(k);
      boolean own = input.equals(host.output());
      operands.put(k, own ? before : new Expr.Arg(extra.numberOf(input)));
    }
    Expr epilogue = ExprTree.substitute(((Op.Elementwise) node.op()).expr(), operands);
    List<Value> inputs = new ArrayList<>(host.operandValues());
    inputs.addAll(extra.values());
    return new Node(
        host.name(), host.onnxOp(), host.op(), epilogue, host.operands(), inputs, node.output());
  }

  /* What is computed of each element of a host's result alone may be computed ahead of views of
   * it: an image whose pixels become tokens is activated where its convolution stores it. */
  private void aheadOfViews(int place, Node node) {
    List<Integer> views = viewsBefore(place, node);
    if (views.isEmpty()) {
      return;
    }
    Value viewed = slots.existing(views.getFirst()).inputs().getFirst();
    Integer from = slots.producerOf(viewed);
    if (from == null || !options.takesEpilogue(slots.existing(from).op())) {
      return;
    }
    Node ahead = on(viewed, node);
    Node host = slots.existing(from);
    if (takes(host, ahead)) {
      slots.set(from, withEpilogue(host, ahead));
      slots.remove(place);
      move(views, ahead.output(), node.output());
    }
  }

  /* Places of the views that the node's only operand went through, first to last, if nothing else
   * reads what they give and what they are given. */
  private List<Integer> viewsBefore(int place, Node node) {
    List<Integer> views = new ArrayList<>();
    if (node.inputs().size() != 1 || !isOfEqualShapes(node) || isPositional(node)) {
      return views;
    }
    int reader = place;
    Value value = node.inputs().getFirst();
    while (slots.isReadOnlyAt(value, reader)) {
      Integer from = slots.producerOf(value);
      if (from == null || !isPermutation(slots.existing(from))) {
        return views;
      }
      views.addFirst(from);
      reader = from;
      value = slots.existing(from).inputs().getFirst();
    }
    return List.of();
  }

  private static boolean isOfEqualShapes(Node node) {
    return node.inputs().getFirst().type().shape().equals(node.output().type().shape());
  }

  private static boolean isPositional(Node node) {
    return ExprTree.isPositional(((Op.Elementwise) node.op()).expr());
  }

  /* Whether each element is there once. */
  private static boolean isPermutation(Node node) {
    return node.op() instanceof Op.View(Movement map)
        && (map instanceof Movement.Reshape || map instanceof Movement.Transpose);
  }

  private static Node on(Value viewed, Node node) {
    TensorType type = new TensorType(node.output().type().element(), viewed.type().shape());
    Op op = new Op.Elementwise(((Op.Elementwise) node.op()).expr(), type);
    Value output = new Value(node.output().name() + " ahead", type);
    return Rewrite.part(node, op, List.of(viewed), output);
  }

  /* The views, of another array. */
  private void move(List<Integer> views, Value source, Value last) {
    Value value = source;
    for (int place : views) {
      Node view = slots.existing(place);
      TensorType type = new TensorType(last.type().element(), view.output().type().shape());
      Value made =
          place == views.getLast() ? last : new Value(view.output().name() + " behind", type);
      slots.set(place, Rewrite.part(view, view.op(), List.of(value), made));
      value = made;
    }
  }
}
