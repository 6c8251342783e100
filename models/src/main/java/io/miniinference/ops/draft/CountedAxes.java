package io.miniinference.ops.draft;

import io.miniinference.ir.Addressing;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Where the [CountedAxis] of operands is in the result of a node. That is a proof that what lies
/// at a place of it follows from that place of the operands alone, so that filler stays filler; a
/// node for which there is none is refused.
public final class CountedAxes {
  /// What can be done about a node that is refused.
  private static final String REMEDY =
      "; make what it reads an output of the model, and do this in the client";

  private final Node node;
  private final List<Operand> operands;
  private final TensorType result;

  /// @param axis that is counted, −1 if none is
  private record Operand(TensorType type, int axis) {
    boolean isCounted() {
      return axis >= 0;
    }

    /// The extent on an axis of the result, as operands broadcast.
    Affine aligned(TensorType result, int place) {
      int own = place - result.rank() + type.rank();
      return own < 0 ? Affine.ONE : type.dim(own);
    }
  }

  private CountedAxes(Node node, List<Operand> operands) {
    this.node = node;
    this.operands = operands;
    result = node.outputs().getFirst().type();
  }

  /// That of all results of a node, if an operand has one.
  ///
  /// @param counted the axis of a value
  /// @param constants that the node may read
  /// @throws LoweringFault if the node joins what lies along such an axis
  static Optional<CountedAxis> of(
      Node node, Function<Value, Optional<CountedAxis>> counted, Map<Value, Tensor> constants) {
    List<Operand> operands = new ArrayList<>();
    List<Value> counts = new ArrayList<>();
    for (Value input : node.inputs()) {
      Optional<CountedAxis> axis = counted.apply(input).filter(it -> !isAddressed(node, input, it));
      operands.add(new Operand(input.type(), axis.map(CountedAxis::axis).orElse(-1)));
      axis.map(CountedAxis::count).filter(it -> !counts.contains(it)).ifPresent(counts::add);
    }
    if (counts.isEmpty()) {
      return Optional.empty();
    }
    requireSafe(node, counted, constants);
    CountedAxes axes = new CountedAxes(node, operands);
    int axis = counts.size() > 1 ? -1 : axes.axis();
    if (axis < 0 || !axes.isWholeAt(axis)) {
      throw joins();
    }
    return Optional.of(new CountedAxis(axis, counts.getFirst()));
  }

  /* Indices into such an axis are held against what there is of it ([CountedIndices]). */
  private static boolean isAddressed(Node node, Value input, CountedAxis axis) {
    return node.op() instanceof Op.Gather gather
        && input.equals(node.inputs().getFirst())
        && Addressing.of(gather.selection(), input.type(), node.inputs().get(1).type())
                .movedAxis(axis.axis())
            < 0;
  }

  /// Why a node is refused.
  public static LoweringFault joins() {
    return LoweringFault.counted(
        "joins rows, or asks for their number, which only the device can tell once the model runs"
            + REMEDY);
  }

  /* Indices are made good where they are filler; a divisor is not. */
  private static void requireSafe(
      Node node, Function<Value, Optional<CountedAxis>> counted, Map<Value, Tensor> constants) {
    if (!(node.op() instanceof Op.Elementwise map)) {
      return;
    }
    Graph around = new Graph("draft", List.of(), List.of(), List.of(), constants, List.of());
    boolean byFiller =
        Fallible.in(around).divisionByZero(map.expr(), node.inputs()).stream()
            .flatMap(isZero -> ExprTree.usedArgs(isZero).stream())
            .anyMatch(k -> counted.apply(node.inputs().get(k)).isPresent());
    if (byFiller) {
      throw LoweringFault.counted(
          "divides by integers of which only the device can tell how many there are" + REMEDY);
    }
  }

  /* Whether the result has as many places there as the operands that have the axis. */
  private boolean isWholeAt(int axis) {
    return operands.stream()
        .filter(Operand::isCounted)
        .allMatch(x -> x.type.dim(x.axis).equals(result.dim(axis)));
  }

  /* −1 if there is none. */
  private int axis() {
    return switch (node.op()) {
      case Op.Elementwise map -> elementwise(map.expr());
      case Op.View view -> view(view.map());
      case Op.Concat concat -> concat(concat.axis());
      case Op.Gather gather -> gather(gather);
      case Op.Reduce reduce -> reduce(reduce);
      case Op.NonMaxSuppression _, Op.Recurrent _ -> -1;
      case Op.Scan scan when scan.axis() == first() && !scan.reverse() -> first();
      case Op.RowOp rows -> rows.rowAxes().contains(first()) ? -1 : first();
      case Op.Convolution _, Op.WindowReduce _ -> isFirstAlone() && first() == 0 ? 0 : -1;
      case Op.MatMul product -> product(product);
      case Op.Attention _, Op.Scatter _, Op.Control _ -> -1;
    };
  }

  private int first() {
    return operands.getFirst().axis;
  }

  private boolean isFirstAlone() {
    return first() >= 0 && operands.stream().skip(1).noneMatch(Operand::isCounted);
  }

  /* Rows of the left matrix, columns of the right one, or the stack of both, in which each matrix
  meets its own or the same one. */
  private int product(Op.MatMul product) {
    List<Integer> places =
        IntStream.range(0, 2)
            .filter(k -> operands.get(k).isCounted())
            .mapToObj(k -> place(product, k))
            .distinct()
            .toList();
    int place = places.size() == 1 ? places.getFirst() : -1;
    return place >= result.rank() - 2 || repeats(operands, place) ? place : -1;
  }

  /* −1 for the axis of the sums. */
  private int place(Op.MatMul product, int operand) {
    Operand x = operands.get(operand);
    int stack = x.type.rank() - 2;
    if (x.axis < stack) {
      return x.axis + result.rank() - x.type.rank();
    }
    boolean isTurned = operand == 0 ? product.transposeA() : product.transposeB();
    int kept = isTurned ? 1 - operand : operand;
    return x.axis - stack == kept ? result.rank() - 2 + operand : -1;
  }

  /* All that are read have it at one place of the result, or repeat there. */
  private int elementwise(Expr expr) {
    List<Integer> places = new ArrayList<>();
    ExprTree.visit(
        expr,
        e -> {
          if (e instanceof Expr.Arg(int k) && operands.get(k).isCounted()) {
            Operand x = operands.get(k);
            places.add(x.axis + result.rank() - x.type.rank());
          } else if (e instanceof Expr.At at && operands.get(at.index()).isCounted()) {
            places.add(place(at));
          }
        });
    int place = places.stream().distinct().count() == 1 ? places.getFirst() : -1;
    return place >= 0 && repeats(read(expr), place) ? place : -1;
  }

  private List<Operand> read(Expr expr) {
    return ExprTree.directArgs(expr).stream().map(operands::get).toList();
  }

  private int place(Expr.At at) {
    Operand x = operands.get(at.index());
    return at.coordinates().get(x.axis) instanceof Expr.Index(int axis)
            && x.type.dim(x.axis).equals(result.dim(axis))
        ? axis
        : -1;
  }

  private boolean repeats(List<Operand> read, int place) {
    return read.stream()
        .allMatch(x -> x.isCounted() || x.aligned(result, place).equals(Affine.ONE));
  }

  private int view(Movement map) {
    TensorType x = operands.getFirst().type;
    int axis = first();
    return switch (map) {
      case Movement.Reshape _ -> CountedShapes.place(x.shape(), axis, result.shape());
      case Movement.Transpose(List<Integer> permutation) -> permutation.indexOf(axis);
      case Movement.Expand _ -> axis + result.rank() - x.rank();
      case Movement.Slice slice ->
          slice.starts().get(axis).isZero()
                  && slice.steps().get(axis) == 1
                  && slice.extents().get(axis).equals(x.dim(axis))
              ? axis
              : -1;
    };
  }

  private int concat(int along) {
    boolean same = operands.stream().allMatch(x -> x.axis == first());
    return same && along != first() ? first() : -1;
  }

  /* Places of the result come from those of the indices, of the data, or of both alike. */
  private int gather(Op.Gather gather) {
    Operand data = operands.get(0);
    Operand indices = operands.get(1);
    Addressing addressing = Addressing.of(gather.selection(), data.type, indices.type);
    int fromData = data.isCounted() ? addressing.movedAxis(data.axis) : -1;
    boolean tells = indices.isCounted() && indices.axis < addressing.tupleAxes();
    int fromIndices = tells ? addressing.firstAxis() + indices.axis : -1;
    if (!indices.isCounted()) {
      return fromData;
    }
    if (data.isCounted()) {
      return fromData == fromIndices ? fromData : -1;
    }
    return tells && addressing.isKept(fromIndices) ? -1 : fromIndices;
  }

  private int reduce(Op.Reduce reduce) {
    if (reduce.axes().contains(first())) {
      return -1;
    }
    long gone = reduce.keepDims() ? 0 : reduce.axes().stream().filter(a -> a < first()).count();
    return first() - (int) gone;
  }
}
