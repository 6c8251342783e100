package io.miniinference.pass;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// Makes one [Op.Normalize] of the nine nodes as which exporters wrote a layer normalisation before
/// opset 17 had one: `d / sqrt(mean(d²) + ε)` with `d = x − mean(x)`, over the last axes. With `d =
/// x` it is the normalisation by the root of the mean of squares.
///
/// Both read a row once and write it once then, in place of four times, on a device in one launch.
/// It runs before elementwise nodes are joined, and after equal ones are one.
public final class FuseNormalize implements Pass {
  @Override
  public Graph apply(Graph graph) {
    boolean mayBe =
        graph.nodes().stream()
            .anyMatch(node ->
                node.op() instanceof Op.Reduce reduce && reduce.kind() == Op.ReduceKind.SUM);
    return mayBe ? new Finding(graph).graph() : graph;
  }

  /// The operand of a normalisation, and how.
  private record Found(Op.Normalize how, Value operand) {}

  /// An operand of an elementwise node: a value, and its number if it is a constant of one element.
  private record Term(Optional<Value> value, Optional<Double> number) {}

  /// A mean over axes that stay, of size 1.
  private record Mean(Value of, List<Integer> axes) {}

  private static final class Finding {
    private final Graph graph;
    private final Map<Value, Node> producers = new HashMap<>();

    Finding(Graph graph) {
      this.graph = graph;
      graph.nodes().forEach(node -> node.outputs().forEach(v -> producers.put(v, node)));
    }

    Graph graph() {
      List<Node> nodes = graph.nodes().stream().map(this::rewrite).toList();
      return new DeadCode().apply(Rewrite.nodes(graph, nodes));
    }

    private Node rewrite(Node node) {
      if (!(node.op() instanceof Op.Elementwise) || !isOfFloats(node)) {
        return node;
      }
      Value result = node.output();
      return binary(result, BinaryOp.DIV, this::quotient)
          .or(() -> eitherWay(result, BinaryOp.MUL, this::product))
          .filter(found -> found.operand().type().equals(result.type()))
          .map(found -> Rewrite.part(node, found.how(), List.of(found.operand()), result))
          .orElse(node);
    }

    /* A fused one rounds less often than halves do in between. */
    private static boolean isOfFloats(Node node) {
      ElementType type = node.output().type().element();
      return node.epilogue() == null && (type == ElementType.F32 || type == ElementType.F64);
    }

    /* d / sqrt(mean(d²) + ε) */
    private Optional<Found> quotient(Term dividend, Term divisor) {
      return dividend.value().flatMap(d -> divisor.value().flatMap(s -> normalized(d, s)));
    }

    /* d · (1 / sqrt(mean(d²) + ε)) */
    private Optional<Found> product(Term factor, Term inverse) {
      return inverse
          .value()
          .flatMap(this::inverted)
          .flatMap(root -> factor.value().flatMap(d -> normalized(d, root)));
    }

    private Optional<Value> inverted(Value inverse) {
      return unary(inverse, UnaryOp.RECIPROCAL)
          .or(() ->
              binary(
                  inverse, BinaryOp.DIV, (one, root) -> isNumber(one, 1) ? root.value() : none()));
    }

    private Optional<Found> normalized(Value d, Value root) {
      return squareOfRoot(root)
          .flatMap(sum ->
              eitherWay(
                  sum,
                  BinaryOp.ADD,
                  (variance, epsilon) ->
                      epsilon
                          .number()
                          .filter(it -> it >= 0)
                          .flatMap(it -> variance.value().flatMap(v -> normalized(d, v, it)))));
    }

    private Optional<Found> normalized(Value d, Value variance, double epsilon) {
      return mean(variance)
          .filter(mean -> isSquare(mean.of(), d))
          .map(mean -> {
            Optional<Value> operand = uncentred(d, mean.axes());
            var how = new Op.Normalize(mean.axes(), epsilon, operand.isPresent());
            return new Found(how, operand.orElse(d));
          });
    }

    private Optional<Value> squareOfRoot(Value root) {
      return unary(root, UnaryOp.SQRT)
          .or(() ->
              binary(
                  root,
                  BinaryOp.POW,
                  (base, power) -> isNumber(power, 0.5) ? base.value() : none()));
    }

    private boolean isSquare(Value square, Value d) {
      Optional<Value> root = Optional.of(d);
      return binary(
              square,
              BinaryOp.MUL,
              (a, b) -> a.value().equals(root) && b.value().equals(root) ? root : none())
          .isPresent();
    }

    /* x where d is x less its mean over the axes. */
    private Optional<Value> uncentred(Value d, List<Integer> axes) {
      return binary(
          d,
          BinaryOp.SUB,
          (x, m) ->
              x.value()
                  .filter(
                      it -> m.value().flatMap(this::mean).equals(Optional.of(new Mean(it, axes)))));
    }

    /* What a value is the mean of, over the last axes. */
    private Optional<Mean> mean(Value value) {
      return binary(
          value,
          BinaryOp.DIV,
          (sum, count) ->
              sum.value().flatMap(this::sum).filter(it -> isNumber(count, elements(it))));
    }

    private Optional<Mean> sum(Value value) {
      return Optional.ofNullable(producers.get(value))
          .filter(node ->
              node.epilogue() == null
                  && node.op() instanceof Op.Reduce(var kind, var axes, boolean keeps, Expr map)
                  && kind == Op.ReduceKind.SUM
                  && keeps
                  && map instanceof Expr.Arg
                  && isLast(axes, value.type().rank()))
          .map(node -> new Mean(node.inputs().getFirst(), ((Op.Reduce) node.op()).axes()));
    }

    private static boolean isLast(List<Integer> axes, int rank) {
      return axes.stream()
          .sorted()
          .toList()
          .equals(IntStream.range(rank - axes.size(), rank).boxed().toList());
    }

    /* Elements of a row, or −1 where a size is open. */
    private static double elements(Mean mean) {
      Affine elements = Affine.ONE;
      for (int axis : mean.axes()) {
        Affine size = mean.of().type().shape().get(axis);
        if (!size.isConstant()) {
          return -1;
        }
        elements = elements.times(size.constant());
      }
      return elements.constant();
    }

    private <T> Optional<T> eitherWay(
        Value value, BinaryOp op, BiFunction<Term, Term, Optional<T>> use) {
      return binary(value, op, use).or(() -> binary(value, op, (a, b) -> use.apply(b, a)));
    }

    /* What `use` makes of both sides, if the value is made by the operation and nothing else. */
    private <T> Optional<T> binary(
        Value value, BinaryOp op, BiFunction<Term, Term, Optional<T>> use) {
      return elementwise(value)
          .flatMap(node ->
              expr(node) instanceof Expr.Binary(BinaryOp is, Expr left, Expr right) && is == op
                  ? use.apply(term(node, left), term(node, right))
                  : Optional.empty());
    }

    private Optional<Value> unary(Value value, UnaryOp op) {
      return elementwise(value)
          .filter(node -> expr(node) instanceof Expr.Unary(UnaryOp is, Expr.Arg _) && is == op)
          .map(node -> node.inputs().getFirst());
    }

    private Optional<Node> elementwise(Value value) {
      return Optional.ofNullable(producers.get(value))
          .filter(node -> node.op() instanceof Op.Elementwise && node.epilogue() == null);
    }

    private static Expr expr(Node node) {
      return ((Op.Elementwise) node.op()).expr();
    }

    private Term term(Node node, Expr side) {
      Optional<Value> value =
          side instanceof Expr.Arg(int k) ? Optional.of(node.inputs().get(k)) : Optional.empty();
      return new Term(
          value, ConstantExpressions.number(graph, node, side).map(Expr.Const::asDouble));
    }

    private static boolean isNumber(Term term, double number) {
      return term.number().equals(Optional.of(number));
    }

    private static <T> Optional<T> none() {
      return Optional.empty();
    }
  }
}
