package io.miniinference.ops.draft;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of a value with the size of a [CountedAxis] among its elements, which are the
/// plan's, where a run has others: what it would be if the axis were longer. So a size that follows
/// the axis is told from one that merely equals it.
///
/// @param longer the elements then; empty if one of them is not known
/// @param count of the axis
public record PlannedSizes(Optional<SymbolicTensor> longer, Value count) {

  /// Those of a part of a shape.
  ///
  /// @param first axis of that part
  /// @param end behind its last one
  public static PlannedSizes of(TensorType type, CountedAxis counted, int first, int end) {
    List<Affine> longer = longer(type.shape(), counted.axis()).subList(first, end);
    return new PlannedSizes(Optional.of(new SymbolicTensor(longer)), counted.count());
  }

  /// A shape with a longer axis: of any length, and yet a dimension.
  static List<Affine> longer(List<Affine> shape, int axis) {
    List<Affine> longer = new ArrayList<>(shape);
    longer.set(axis, longer(shape.get(axis)));
    return longer;
  }

  static Affine longer(Affine size) {
    return size.plus(size.isConstant() ? Affine.ONE : Affine.N);
  }

  /// Those of the result of a node that takes such values apart and puts them together, so that
  /// each element is such a size or none; empty if the node reads none.
  ///
  /// @throws LoweringFault if the node does anything else, or the sizes are of several counts
  static Optional<PlannedSizes> of(Node node, Draft draft) {
    List<PlannedSizes> read =
        node.inputs().stream().flatMap(value -> draft.planned(value).stream()).toList();
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Value count = read.getFirst().count;
    if (!moves(node, draft) || read.stream().anyMatch(sizes -> !sizes.count.equals(count))) {
      throw CountedAxes.joins();
    }
    return Optional.of(new PlannedSizes(evaluated(node, draft), count));
  }

  private static boolean moves(Node node, Draft draft) {
    ElementType element = node.output().type().element();
    boolean isWide = element == ElementType.I64 || element == ElementType.I32;
    return isWide
        && switch (node.op()) {
          case Op.View _, Op.Concat _ -> true;
          case Op.Gather _ -> !draft.isPlanned(node.inputs().get(1));
          case Op.Elementwise map -> map.expr() instanceof Expr.Cast(_, Expr.Arg _);
          case Op.Reduce _, Op.Scatter _, Op.Regular _, Op.Control _ -> false;
        };
  }

  private static Optional<SymbolicTensor> evaluated(Node node, Draft draft) {
    List<SymbolicTensor> operands = new ArrayList<>();
    for (Value input : node.inputs()) {
      Optional<PlannedSizes> planned = draft.planned(input);
      Optional<SymbolicTensor> known =
          planned.isPresent() ? planned.get().longer : draft.known(input);
      if (known.isEmpty()) {
        return known;
      }
      operands.add(known.get());
    }
    List<TensorType> types = node.inputs().stream().map(Value::type).toList();
    return new SizeInterpreter(types, operands, node.output().type()).run(node.op());
  }
}
