package io.miniinference.pass;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Interval;
import io.miniinference.ir.analysis.Intervals;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.exact.ExactSums;
import io.miniinference.pass.exact.FloatTerms;
import io.miniinference.pass.exact.IntegerProduct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Multiplies small integers as floats, which targets have fast kernels for, where the floats hold
/// each sum exactly: the numbers that quantised networks (QLinearConv, MatMulInteger and their kin)
/// multiply are of 8 bits less a zero point, and their weights are known, so that what sums of
/// products can be is known as well. A sum that may be too large is computed in a few parts, each
/// of which is exact; the parts are added as integers again.
///
/// What reads a sum as a float reads that of the products, so that it is never made an integer.
public final class ExactProducts implements Pass {
  private final Evaluator evaluator;

  /// @param evaluator keeps what is made of weights, which may take longer than all else
  public ExactProducts(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(IntegerProduct::is)
        ? new Multiplying(graph, evaluator).graph()
        : graph;
  }

  private static final class Multiplying {
    private final Graph graph;
    private final Evaluator evaluator;
    private final Intervals intervals;
    private final FloatTerms terms;
    private final Map<Value, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();

    Multiplying(Graph graph, Evaluator evaluator) {
      this.graph = graph;
      this.evaluator = evaluator;
      intervals =
          new Intervals(
              graph, it -> evaluator.of(it, Interval.class, 0, () -> Intervals.ofContent(it)));
      terms = new FloatTerms(intervals);
      constants = new LinkedHashMap<>(graph.constants());
    }

    Graph graph() {
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes, constants));
    }

    private void rewrite(Node node) {
      if (IntegerProduct.is(node) && multiplied(new IntegerProduct(node))) {
        return;
      }
      switch (node.op()) {
        case Op.Elementwise map when readsTerms(node) || isInteger(node.output()) ->
            elementwise(node, map);
        case Op.View view when readsTerms(node) -> view(node, view);
        default -> nodes.add(node);
      }
      intervals.note(node);
    }

    private static boolean isInteger(Value value) {
      return value.type().element() == ElementType.I32;
    }

    private boolean readsTerms(Node node) {
      return node.inputs().stream().anyMatch(terms::has);
    }

    /* Whether the node's sums are computed as floats now. */
    private boolean multiplied(IntegerProduct product) {
      Interval x = intervals.of(product.x()).orElseThrow();
      Optional<List<ExactSums.Part>> parts = parts(product, x);
      Optional<Interval> sums =
          intervals.of(product.weights()).flatMap(weights -> product.sums(x, weights));
      if (parts.isPresent()) {
        multiplyParts(product, parts.get());
      } else if (sums.isPresent()) {
        Value factors = asFloat(product.node(), product.x());
        Value weights = asFloat(product.node(), product.weights());
        multiply(product, "", factors, weights, sums.get());
      } else {
        return false;
      }
      sum(product.node());
      return true;
    }

    private Optional<List<ExactSums.Part>> parts(IntegerProduct product, Interval x) {
      Tensor weights = constants.get(product.weights());
      if (weights == null) {
        return Optional.empty();
      }
      return product
          .cut(weights, x)
          .flatMap(cut ->
              evaluator.of(
                  weights, cut, weights.data().byteSize(), () -> ExactSums.of(weights, cut)));
    }

    private void multiplyParts(IntegerProduct product, List<ExactSums.Part> parts) {
      Value x = asFloat(product.node(), product.x());
      for (ExactSums.Part part : parts) {
        String which = parts.size() > 1 ? ", " + part.first() : "";
        Value weights =
            new Value(nameAsFloat(product.sum(), which) + " weights", part.weights().type());
        constants.put(weights, part.weights());
        Value factors = parts.size() > 1 ? slice(product, x, part) : x;
        multiply(product, which, factors, weights, part.sums());
      }
    }

    private Value slice(IntegerProduct product, Value x, ExactSums.Part part) {
      Affine first = Affine.of(part.first());
      Affine extent = Affine.of(part.extent());
      List<Affine> shape = new ArrayList<>(x.type().shape());
      shape.set(product.cutAxis(), extent);
      Value slice = new Value(x.name() + " from " + part.first(), x.type().withShape(shape));
      Op op = new Op.View(Movement.part(x.type().shape(), product.cutAxis(), first, extent));
      emit(product.node(), op, List.of(x), slice);
      return slice;
    }

    private void multiply(
        IntegerProduct product, String which, Value x, Value weights, Interval sums) {
      Value floats = floats(product.sum(), which);
      emit(product.node(), product.ofFloats(), List.of(x, weights), floats);
      terms.note(product.sum(), floats, sums);
    }

    /* The integers that the terms stand for. */
    private void sum(Node node) {
      List<Value> parts = terms.of(node.output());
      Expr sum =
          IntStream.range(0, parts.size())
              .mapToObj(k -> cast(ElementType.I32, arg(k)))
              .reduce((a, b) -> add(a, b))
              .orElseThrow();
      emit(node, new Op.Elementwise(sum, node.output().type()), parts, node.output());
      parts.stream()
          .map(terms::interval)
          .reduce(Interval::plus)
          .ifPresent(all -> intervals.note(node.output(), all));
    }

    /* An integer operand as floats, which hold it. */
    private Value asFloat(Node node, Value x) {
      noteConstant(x);
      if (terms.of(x).size() == 1) {
        return terms.of(x).getFirst();
      }
      Value made = floats(x, "");
      elementwise(node, cast(ElementType.F32, arg(0)), List.of(x), made);
      if (!terms.has(x)) { // else it is the sum of several already
        terms.note(x, made, intervals.of(x).orElseThrow());
      }
      return made;
    }

    /* An array for one of the terms of an integer one. */
    private static Value floats(Value integer, String which) {
      return new Value(nameAsFloat(integer, which), floats(integer.type()));
    }

    private static String nameAsFloat(Value integer, String which) {
      return integer.name() + " (f32" + which + ")";
    }

    private static TensorType floats(TensorType type) {
      return new TensorType(ElementType.F32, type.shape());
    }

    /* A bias is a float like the sum that it is added to, so that kernels take it in. */
    private void noteConstant(Value value) {
      Tensor constant = constants.get(value);
      if (constant == null || !isInteger(value) || terms.has(value)) {
        return;
      }
      intervals
          .of(value)
          .filter(interval -> interval.size() <= ExactSums.MOST)
          .ifPresent(interval -> {
            Value made = floats(value, "");
            constants.put(made, floats(constant));
            terms.note(value, made, interval);
          });
    }

    private Tensor floats(Tensor integers) {
      return evaluator.of(
          integers, ElementType.F32, integers.data().byteSize(), () -> ExactSums.floats(integers));
    }

    private void elementwise(Node node, Op.Elementwise map) {
      node.inputs().forEach(this::noteConstant);
      if (isInteger(node.output())) {
        nodes.add(node);
        note(node, map);
        return;
      }
      List<Value> inputs = new ArrayList<>(node.inputs());
      Expr expr = reading(map.expr(), inputs);
      elementwise(node, expr, inputs, node.output());
    }

    /* Integers that are computed from others are terms again. */
    private void note(Node node, Op.Elementwise map) {
      List<Value> inputs = new ArrayList<>(node.inputs());
      List<FloatTerms.Term> made = terms.terms(map.expr(), inputs).orElse(List.of());
      for (int i = 0; i < made.size() && made.size() <= IntegerProduct.MOST_PARTS; i++) {
        Value term = floats(node.output(), made.size() > 1 ? ", " + i : "");
        elementwise(node, made.get(i).value(), inputs, term);
        terms.note(node.output(), term, made.get(i).interval());
      }
    }

    /* The expression with terms in place of integers that become floats. */
    private Expr reading(Expr expr, List<Value> inputs) {
      if (expr instanceof Expr.Cast(ElementType to, Expr integer)
          && to == ElementType.F32
          && ExprTree.directArgs(integer).stream().anyMatch(k -> terms.has(inputs.get(k)))) {
        Optional<Expr> floats = terms.rounded(integer, inputs);
        if (floats.isPresent()) {
          return floats.get();
        }
      }
      return ExprTree.mapChildren(expr, child -> reading(child, inputs));
    }

    private void view(Node node, Op.View view) {
      nodes.add(node);
      Value x = node.inputs().getFirst();
      for (Value term : List.copyOf(terms.of(x))) {
        Value moved =
            new Value(term.name() + " as " + node.output().name(), floats(node.output().type()));
        emit(node, view, List.of(term), moved);
        terms.note(node.output(), moved, terms.interval(term));
      }
    }

    private void elementwise(Node from, Expr expr, List<Value> inputs, Value output) {
      OperandList operands = new OperandList();
      Expr packed = operands.pack(expr, inputs);
      emit(from, new Op.Elementwise(packed, output.type()), operands.values(), output);
    }

    private void emit(Node from, Op op, List<Value> inputs, Value output) {
      nodes.add(Rewrite.part(from, op, inputs, output));
    }
  }
}
