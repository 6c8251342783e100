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
  /// With more parts, the sums of parts cost more than faster products save.
  private static final int MOST_PARTS = 8;

  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(ExactProducts::isOfIntegers)
        ? new Multiplying(graph).graph()
        : graph;
  }

  private static boolean isOfIntegers(Node node) {
    return (node.op() instanceof Op.MatMul || node.op() instanceof Op.Conv)
        && node.epilogue() == null
        && node.inputs().stream().allMatch(v -> v.type().element() == ElementType.I32);
  }

  private static final class Multiplying {
    private final Graph graph;
    private final Intervals intervals;
    private final FloatTerms terms;
    private final Map<Value, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();

    Multiplying(Graph graph) {
      this.graph = graph;
      intervals = new Intervals(graph);
      terms = new FloatTerms(intervals);
      constants = new LinkedHashMap<>(graph.constants());
    }

    Graph graph() {
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes, constants));
    }

    private void rewrite(Node node) {
      if (isOfIntegers(node) && multiplied(node)) {
        return;
      }
      switch (node.op()) {
        case Op.Elementwise map when readsTerms(node) || isExactInteger(node) ->
            elementwise(node, map);
        case Op.View view when readsTerms(node) -> view(node, view);
        default -> nodes.add(node);
      }
      intervals.note(node);
    }

    private boolean isExactInteger(Node node) {
      return node.output().type().element() == ElementType.I32;
    }

    private boolean readsTerms(Node node) {
      return node.inputs().stream().anyMatch(terms::has);
    }

    /* Whether the node's sums are computed as floats now. */
    private boolean multiplied(Node node) {
      Value x = node.inputs().get(0);
      Value w = node.inputs().get(1);
      Optional<List<ExactSums.Part>> parts = parts(node);
      if (parts.isPresent()) {
        Value left = asFloat(node, x);
        parts.get().forEach(part -> part(node, left, part, parts.get().size() > 1));
      } else if (isExactWhatever(node)) {
        Interval sums = bound(node).orElseThrow();
        product(node, node.output().name() + " (f32)", asFloat(node, x), asFloat(node, w), sums);
      } else {
        return false;
      }
      sum(node);
      return true;
    }

    /* Parts of constant weights. */
    private Optional<List<ExactSums.Part>> parts(Node node) {
      Tensor weights = constants.get(node.inputs().get(1));
      Optional<Interval> x = intervals.of(node.inputs().getFirst());
      if (weights == null || x.isEmpty() || weights.elements() == 0) {
        return Optional.empty();
      }
      return switch (node.op()) {
        case Op.Conv conv ->
            ExactSums.of(weights, 1, 0, x.get(), conv.groups() == 1 ? MOST_PARTS : 1);
        case Op.MatMul product when weights.shape().length == 2 -> {
          int along = product.transposeB() ? 1 : 0;
          yield ExactSums.of(weights, along, 1 - along, x.get(), MOST_PARTS);
        }
        default -> Optional.empty();
      };
    }

    /* Whether all sums of as many products are exact, whatever the factors are. */
    private boolean isExactWhatever(Node node) {
      return bound(node).filter(sums -> sums.size() <= ExactSums.MOST).isPresent();
    }

    private Optional<Interval> bound(Node node) {
      return depth(node)
          .flatMap(depth ->
              intervals
                  .of(node.inputs().get(0))
                  .flatMap(x -> intervals.of(node.inputs().get(1)).map(x::times))
                  .filter(product -> product.size() <= ExactSums.MOST)
                  .map(product -> product.union(Interval.of(0)).times(Interval.of(depth))));
    }

    /* Products in a sum, if there are not so many that they say nothing. */
    private static Optional<Long> depth(Node node) {
      TensorType x = node.inputs().get(0).type();
      TensorType w = node.inputs().get(1).type();
      List<Affine> extents =
          switch (node.op()) {
            case Op.MatMul product -> List.of(x.dim(x.rank() - (product.transposeA() ? 2 : 1)));
            default -> w.shape().subList(1, w.rank());
          };
      long depth = 1;
      for (Affine extent : extents) {
        if (!extent.isConstant() || extent.constant() > ExactSums.MOST) {
          return Optional.empty();
        }
        depth = Math.min(ExactSums.MOST, depth) * extent.constant();
      }
      return Optional.of(depth).filter(all -> all <= ExactSums.MOST);
    }

    private void part(Node node, Value x, ExactSums.Part part, boolean isOfSeveral) {
      String name = node.output().name() + " (f32" + (isOfSeveral ? ", " + part.first() : "") + ")";
      Value weights = new Value(name + " weights", part.weights().type());
      constants.put(weights, part.weights());
      product(node, name, isOfSeveral ? slice(node, x, part) : x, weights, part.sums());
    }

    private Value slice(Node node, Value x, ExactSums.Part part) {
      int axis =
          switch (node.op()) {
            case Op.MatMul product -> x.type().rank() - (product.transposeA() ? 2 : 1);
            default -> 1;
          };
      List<Affine> shape = new ArrayList<>(x.type().shape());
      shape.set(axis, Affine.of(part.extent()));
      Value slice = new Value(x.name() + " from " + part.first(), x.type().withShape(shape));
      Op op =
          new Op.View(
              Movement.part(
                  x.type().shape(), axis, Affine.of(part.first()), Affine.of(part.extent())));
      emit(node, op, List.of(x), slice);
      return slice;
    }

    private void product(Node node, String name, Value x, Value w, Interval sums) {
      Op op =
          switch (node.op()) {
            case Op.MatMul it -> new Op.MatMul(it.transposeA(), it.transposeB(), true);
            case Op.Conv it -> new Op.Conv(it.window(), it.groups(), true);
            default -> throw new IllegalArgumentException("no product: " + node.op());
          };
      Value product = new Value(name, float_(node.output().type()));
      emit(node, op, List.of(x, w), product);
      terms.note(node.output(), product, sums);
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
      List<Value> known = terms.of(x);
      if (known.size() == 1) {
        return known.getFirst();
      }
      Value made = float_(x, "");
      Tensor constant = constants.get(x);
      if (constant != null) {
        constants.put(made, ExactSums.floats(constant));
      } else {
        elementwise(node, cast(ElementType.F32, arg(0)), List.of(x), made);
      }
      terms.note(x, made, intervals.of(x).orElseThrow());
      return made;
    }

    private static Value float_(Value integer, String which) {
      return new Value(integer.name() + " (f32" + which + ")", float_(integer.type()));
    }

    private static TensorType float_(TensorType type) {
      return new TensorType(ElementType.F32, type.shape());
    }

    /* A bias is a float like the sum that it is added to, so that kernels take it in. */
    private void noteConstant(Value value) {
      Tensor constant = constants.get(value);
      if (constant == null || value.type().element() != ElementType.I32 || terms.has(value)) {
        return;
      }
      intervals
          .of(value)
          .filter(interval -> interval.size() <= ExactSums.MOST)
          .ifPresent(interval -> {
            Value made = float_(value, "");
            constants.put(made, ExactSums.floats(constant));
            terms.note(value, made, interval);
          });
    }

    private void elementwise(Node node, Op.Elementwise map) {
      node.inputs().forEach(this::noteConstant);
      if (map.type().element() == ElementType.I32) {
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
      for (int i = 0; i < made.size() && made.size() <= MOST_PARTS; i++) {
        Value term = float_(node.output(), made.size() > 1 ? ", " + i : "");
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
            new Value(term.name() + " as " + node.output().name(), float_(node.output().type()));
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
      nodes.add(Node.of(from.name(), from.onnxOp(), op, inputs, output));
    }
  }
}
