package io.miniinference.pass;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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

  /* What is computed of each element of a host's result may be computed ahead of views of it: an
  image whose pixels become tokens is activated where its convolution stores it, and the rows of a
  product that become a batch of sequences are added to others before that. */
  private void aheadOfViews(int place, Node node) {
    if (isPositional(node)) {
      return;
    }
    if (node.inputs().size() == 1 && isOfEqualShapes(node)) {
      alone(place, node, viewsBefore(place, node.inputs().getFirst(), Epilogues::isPermutation));
      return;
    }
    for (Value input : node.inputs()) {
      if (withOthers(place, node, input, viewsBefore(place, input, Epilogues::isReshape))) {
        return;
      }
    }
  }

  private void alone(int place, Node node, List<Integer> views) {
    if (views.isEmpty()) {
      return;
    }
    Value viewed = slots.existing(views.getFirst()).inputs().getFirst();
    Integer from = slots.producerOf(viewed);
    if (from == null || !options.takesEpilogue(slots.existing(from).op())) {
      return;
    }
    Node ahead = ahead(node, viewed, List.of(viewed));
    Node host = slots.existing(from);
    if (takes(host, ahead)) {
      slots.set(from, withEpilogue(host, ahead));
      slots.remove(place);
      move(views, ahead.output(), node.output());
    }
  }

  /* Whether the node is done by the host of one of its operands, a result that is reshaped: the
  others are reshaped to what that was. */
  private boolean withOthers(int place, Node node, Value input, List<Integer> views) {
    if (views.isEmpty()) {
      return false;
    }
    Value viewed = slots.existing(views.getFirst()).inputs().getFirst();
    Integer from = slots.producerOf(viewed);
    if (from == null
        || !options.takesEpilogue(slots.existing(from).op())
        || !slots.mayMove(from, place)
        || !node.inputs().stream()
            .allMatch(x -> isFull(x, node) || isOfLastAxis(x, node, viewed))) {
      return false;
    }
    List<Node> before = new ArrayList<>();
    List<Value> inputs =
        node.inputs().stream()
            .map(x ->
                x.equals(input) ? viewed : isFull(x, node) ? reshaped(x, viewed, node, before) : x)
            .toList();
    Node ahead = ahead(node, viewed, inputs);
    Node host = slots.existing(from);
    if (!takes(host, ahead)) {
      return false;
    }
    slots.remove(from);
    views.forEach(slots::remove);
    before.add(withEpilogue(host, ahead));
    slots.setBefore(place, before);
    slots.set(place, reshape(node, ahead.output(), node.output()));
    return true;
  }

  private static boolean isFull(Value operand, Node node) {
    return operand.type().shape().equals(node.output().type().shape());
  }

  /* Whether an operand is one row for all of a result and of its view. */
  private static boolean isOfLastAxis(Value operand, Node node, Value viewed) {
    List<Affine> shape = operand.type().shape();
    return shape.size() == 1
        && viewed.type().rank() > 0
        && shape.getLast().equals(node.output().type().shape().getLast())
        && shape.getLast().equals(viewed.type().shape().getLast());
  }

  private static Value reshaped(Value operand, Value viewed, Node node, List<Node> before) {
    TensorType type = operand.type().withShape(viewed.type().shape());
    Value reshaped = new Value(operand.name() + " for " + node.output().name(), type);
    before.add(reshape(node, operand, reshaped));
    return reshaped;
  }

  private static Node reshape(Node from, Value source, Value result) {
    Op op = new Op.View(new Movement.Reshape(result.type().shape()));
    return Rewrite.part(from, op, List.of(source), result);
  }

  /* Places of the views that an operand went through, first to last, if nothing else reads what they
  give and what they are given. */
  private List<Integer> viewsBefore(int place, Value operand, Predicate<Node> isView) {
    List<Integer> views = new ArrayList<>();
    int reader = place;
    Value value = operand;
    while (slots.isReadOnlyAt(value, reader)) {
      Integer from = slots.producerOf(value);
      if (from == null || !isView.test(slots.existing(from))) {
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

  private static boolean isReshape(Node node) {
    return node.op() instanceof Op.View(Movement map) && map instanceof Movement.Reshape;
  }

  /* The node on operands in the shape of a result before its views. */
  private static Node ahead(Node node, Value viewed, List<Value> inputs) {
    TensorType type = new TensorType(node.output().type().element(), viewed.type().shape());
    Op op = new Op.Elementwise(((Op.Elementwise) node.op()).expr(), type);
    return Rewrite.part(node, op, inputs, new Value(node.output().name() + " ahead", type));
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
