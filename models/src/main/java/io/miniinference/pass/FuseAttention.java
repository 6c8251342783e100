package io.miniinference.pass;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Attention.Blind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Makes one node of attention's three: the product of queries and keys with its scale and mask,
/// the softmax along the keys, and the product with the values. The matrix of scores, of which each
/// is there for a moment only, is never in memory then. Where the target has no kernel for it, or
/// something else reads the scores, they stay apart.
///
/// It runs once open sizes are marked ([OpenAxes]), so that the target decides for all of them.
public final class FuseAttention implements Pass {
  private static final Expr NAN_IS_ZERO =
      select(new Expr.Unary(Expr.UnaryOp.IS_NAN, arg(0)), const_(ElementType.F32, 0.0), arg(0));

  private static final Expr HIDDEN_IS_ZERO =
      select(
          eq(arg(1), const_(ElementType.F32, Double.NEGATIVE_INFINITY)),
          const_(ElementType.F32, 0.0),
          arg(0));

  private final FusionTarget target;

  /// @param target asked about each node before it takes the place of its parts
  public FuseAttention(FusionTarget target) {
    this.target = target;
  }

  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(FuseAttention::isSoftmax)
        ? new DeadCode().apply(new Joining(graph, target).graph())
        : graph;
  }

  private static boolean isSoftmax(Node node) {
    return node.op() instanceof Op.Softmax(int axis, boolean log)
        && !log
        && axis == node.output().type().rank() - 1
        && node.output().type().element() == ElementType.F32;
  }

  /// What is done to a product before the softmax.
  ///
  /// @param mask that is added, null for none
  private record Scores(double scale, @Nullable Value mask) {

    /* Kernels have the scale as a number in their text, for which there is none beyond floats. */
    boolean isFinite() {
      return Float.isFinite((float) scale);
    }
  }

  private static final class Joining {
    private final Graph graph;
    private final FusionTarget target;
    private final NodeSlots slots;

    Joining(Graph graph, FusionTarget target) {
      this.graph = graph;
      this.target = target;
      slots = new NodeSlots(graph);
    }

    Graph graph() {
      for (int place : slots.places()) {
        join(place);
      }
      return Rewrite.nodes(graph, slots.nodes());
    }

    /* Joins a product of weights and values with what makes the weights. */
    private void join(int place) {
      Node product = slots.at(place);
      if (product == null || !isPlain(product) || !isSum(product)) {
        return;
      }
      List<Integer> before = before(place);
      if (before.size() < 2) {
        return;
      }
      scores(before.subList(1, before.size()))
          .filter(Scores::isFinite)
          .flatMap(scores -> attention(before, scores, product))
          .filter(node -> isOfBatch(node) && target.fuses(node, graph))
          .ifPresent(node -> {
            before.forEach(slots::remove);
            slots.set(place, node);
          });
    }

    /* A single matrix of scores stays, as three steps round it: heads and batches have many. */
    private static boolean isOfBatch(Node attention) {
      return attention.output().type().rank() > 2;
    }

    /* The places of the softmax that makes a product's left operand, of an elementwise node before
    that, if there is one, and of the product of queries and keys; fewer than two, if it is none. */
    private List<Integer> before(int place) {
      List<Integer> places = new ArrayList<>();
      Integer softmax = onlyFor(slots.existing(place).inputs().getFirst(), place);
      if (softmax == null || !isSoftmax(slots.existing(softmax))) {
        return places;
      }
      places.add(softmax);
      Integer first = onlyFor(slots.existing(softmax).inputs().getFirst(), softmax);
      if (first != null && slots.existing(first).op() instanceof Op.Elementwise) {
        places.add(first);
        first = product(slots.existing(first), first);
      }
      if (first == null || !isPlain(slots.existing(first))) {
        return List.of();
      }
      places.add(first);
      return places;
    }

    /* The place of the product of the elementwise node's shape that only this node reads. */
    private @Nullable Integer product(Node map, int place) {
      for (Value input : map.inputs()) {
        Integer from = onlyFor(input, place);
        if (from != null
            && input.type().equals(map.output().type())
            && isPlain(slots.existing(from))) {
          return from;
        }
      }
      return null;
    }

    /* The place of what makes a value that nothing but one node reads. */
    private @Nullable Integer onlyFor(Value value, int reader) {
      return slots.isReadOnlyAt(value, reader) ? slots.producerOf(value) : null;
    }

    private static boolean isPlain(Node node) {
      return node.op() instanceof Op.MatMul(boolean transposeA, boolean _, boolean exact)
          && !transposeA
          && !exact
          && node.output().type().element() == ElementType.F32;
    }

    /* Of values as they lie. */
    private static boolean isSum(Node product) {
      return product.epilogue() == null && !((Op.MatMul) product.op()).transposeB();
    }

    private Optional<Node> attention(List<Integer> before, Scores how, Node product) {
      Node scores = slots.existing(before.getLast());
      List<Value> operands = new ArrayList<>(scores.operandValues());
      operands.add(product.inputs().get(1));
      if (how.mask() != null) {
        operands.add(how.mask());
      }
      boolean rowsOfKeys = ((Op.MatMul) scores.op()).transposeB();
      return blind(slots.existing(before.getFirst()), how.mask())
          .map(blind -> new Op.Attention(rowsOfKeys, how.scale(), blind))
          .map(op -> Rewrite.part(product, op, operands, product.output()));
    }

    /* What a row is that sees no key, if it is known what the softmax's epilogue does: zero for NaN,
    as PyTorch's exporter writes it, or zero where the largest number of the mask says so, as ONNX's
    Attention is defined. */
    private Optional<Blind> blind(Node softmax, @Nullable Value mask) {
      Expr epilogue = softmax.epilogue();
      if (epilogue == null) {
        return Optional.of(Blind.NAN);
      }
      if (epilogue.equals(NAN_IS_ZERO)) {
        return Optional.of(Blind.ZERO_FOR_NAN);
      }
      if (mask == null || !epilogue.equals(HIDDEN_IS_ZERO)) {
        return Optional.empty();
      }
      Value largest = softmax.epilogueValues().getFirst();
      Tensor known = graph.constants().get(largest);
      if (known != null) {
        return isEverHidden(known) ? Optional.empty() : Optional.of(Blind.NAN);
      }
      return isLargestOf(mask, largest) ? Optional.of(Blind.ZERO) : Optional.empty();
    }

    private static boolean isEverHidden(Tensor largest) {
      return LongStream.range(0, largest.elements())
          .anyMatch(i -> ElementBits.read(largest, i).asDouble() == Double.NEGATIVE_INFINITY);
    }

    private boolean isLargestOf(Value mask, Value largest) {
      Integer from = slots.producerOf(largest);
      Node reduce = from == null ? null : slots.existing(from);
      return reduce != null
          && reduce.op() instanceof Op.Reduce(var kind, var axes, boolean keeps, Expr map)
          && kind == Op.ReduceKind.MAX
          && keeps
          && axes.equals(List.of(mask.type().rank() - 1))
          && map.equals(arg(0))
          && reduce.epilogue() == null
          && reduce.inputs().equals(List.of(mask));
    }

    /* What is done to a product by its epilogue and by an elementwise node after it, if there is one
    at the first of two places, where that is a scale and a mask and no more. */
    private Optional<Scores> scores(List<Integer> places) {
      Node product = slots.existing(places.getLast());
      List<Value> read = new ArrayList<>(product.epilogueValues());
      read.addFirst(product.output());
      Expr epilogue = product.epilogue();
      Optional<Scores> own =
          epilogue == null ? Optional.of(new Scores(1, null)) : scores(epilogue, 0, read);
      if (places.size() == 1) {
        return own;
      }
      Node map = slots.existing(places.getFirst());
      int k = map.inputs().indexOf(product.output());
      return own.filter(scores -> scores.mask() == null)
          .flatMap(first ->
              scores(((Op.Elementwise) map.op()).expr(), k, map.inputs())
                  .map(then -> new Scores(first.scale() * then.scale(), then.mask())));
    }

    /* An expression of operand `own` as a scale and a mask. */
    private static Optional<Scores> scores(Expr expr, int own, List<Value> operands) {
      return expr instanceof Expr.Binary(BinaryOp op, Expr left, Expr right) && op == BinaryOp.ADD
          ? masked(left, right, own, operands).or(() -> masked(right, left, own, operands))
          : scale(expr, own).map(scale -> new Scores(scale, null));
    }

    private static Optional<Scores> masked(Expr scaled, Expr mask, int own, List<Value> operands) {
      return mask instanceof Expr.Arg(int k)
              && k != own
              && operands.get(k).type().element() == ElementType.F32
          ? scale(scaled, own).map(scale -> new Scores(scale, operands.get(k)))
          : Optional.empty();
    }

    private static Optional<Double> scale(Expr expr, int own) {
      Expr product = new Expr.Arg(own);
      if (expr.equals(product)) {
        return Optional.of(1.0);
      }
      if (!(expr instanceof Expr.Binary(BinaryOp op, Expr left, Expr right))) {
        return Optional.empty();
      }
      Expr factor = left.equals(product) ? right : left;
      boolean isOne = left.equals(product) || (right.equals(product) && op == BinaryOp.MUL);
      return !isOne || !(factor instanceof Expr.Const number)
          ? Optional.empty()
          : op == BinaryOp.MUL
              ? Optional.of(number.asDouble())
              : op == BinaryOp.DIV ? Optional.of(1 / number.asDouble()) : Optional.empty();
    }
  }
}
