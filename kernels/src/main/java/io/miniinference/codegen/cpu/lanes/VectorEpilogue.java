package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How a vector kernel reads what an epilogue needs besides the result.
///
/// @param reads one entry per epilogue input
public record VectorEpilogue(List<Read> reads) {

  /// How one epilogue input is read.
  public enum Read {
    /// A constant with one value per lane axis entry: a vector at the block's lane offset.
    LANES,
    /// An array like the output, in the output's layout: a vector at the store's place.
    SAME,
    /// An array of one element, the same in each lane; of convolutions and sums of bytes alone.
    SINGLE,
    /// As [#LANES], but computed, so that nothing pads it and lanes are whole vectors; of
    /// convolutions and sums of bytes alone.
    ROW
  }

  /// The reads of `node`'s epilogue if it has a vector form.
  ///
  /// @param isConstant whether an input is a constant that can be packed, by its number
  /// @param laneAxis the output axis that lies in the lanes
  public static Optional<VectorEpilogue> of(Node node, IntPredicate isConstant, int laneAxis) {
    Expr epilogue = node.epilogue();
    if (epilogue == null) {
      return Optional.of(new VectorEpilogue(List.of()));
    }
    boolean isOfAnyType = Op.Contraction.isOfBytes(node) || node.op() instanceof Op.Conv;
    return isOfAnyType
        ? ofAnyType(node, epilogue, isConstant, laneAxis)
        : ofFloats(node, epilogue, isConstant, laneAxis);
  }

  private static Optional<VectorEpilogue> ofFloats(
      Node node, Expr epilogue, IntPredicate isConstant, int laneAxis) {
    if (!VectorText.supports(epilogue) || node.output().type().element() != ElementType.F32) {
      return Optional.empty();
    }
    List<Read> reads = new ArrayList<>();
    for (int i = node.operands(); i < node.inputs().size(); i++) {
      Value value = node.inputs().get(i);
      if (value.type().element() != ElementType.F32) {
        return Optional.empty();
      }
      if (isConstant.test(i) && perLane(value.type(), node.output().type(), laneAxis)) {
        reads.add(Read.LANES);
      } else if (value.type().shape().equals(node.output().type().shape())) {
        reads.add(Read.SAME);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new VectorEpilogue(reads));
  }

  /// The inputs, counted from the epilogue's first, that are read as [Read#SAME].
  public IntStream same() {
    return IntStream.range(0, reads.size()).filter(i -> reads.get(i) == Read.SAME);
  }

  /// How those lie in a step.
  public Stream<IndexFunction> same(LoweredStep step) {
    return same().mapToObj(i -> step.inputs().get(step.node().operands() + i).index());
  }

  /// The types of what an epilogue reads, the node's sums first.
  public static List<ElementType> types(Node node) {
    List<ElementType> types = new ArrayList<>();
    types.add(Op.Contraction.sums(node));
    node.epilogueValues().forEach(value -> types.add(value.type().element()));
    return types;
  }

  private static Optional<VectorEpilogue> ofAnyType(
      Node node, Expr epilogue, IntPredicate isConstant, int laneAxis) {
    TensorType out = node.output().type();
    List<ElementType> types = types(node);
    if (!LaneArray.suits(out.element())
        || !types.stream().allMatch(LaneArray::suits)
        || !VectorText.supports(epilogue, out.element(), types::get)) {
      return Optional.empty();
    }
    List<Read> reads = new ArrayList<>();
    for (int i = node.operands(); i < node.inputs().size(); i++) {
      Optional<Read> read = read(node.inputs().get(i).type(), out, isConstant.test(i), laneAxis);
      if (read.isEmpty()) {
        return Optional.empty();
      }
      reads.add(read.get());
    }
    return Optional.of(new VectorEpilogue(reads));
  }

  private static Optional<Read> read(
      TensorType value, TensorType out, boolean isConstant, int laneAxis) {
    if (value.elements().equals(Affine.ONE)) {
      return Optional.of(Read.SINGLE);
    }
    if (value.element().bytes() == Float.BYTES && perLane(value, out, laneAxis)) {
      boolean isEven = out.dim(laneAxis).isMultipleOf(VectorText.LANES);
      return isConstant ? Optional.of(Read.LANES) : Optional.of(Read.ROW).filter(_ -> isEven);
    }
    return Optional.of(Read.SAME).filter(_ -> value.shape().equals(out.shape()));
  }

  private static boolean perLane(TensorType value, TensorType output, int laneAxis) {
    int axis = laneAxis - (output.rank() - value.rank());
    if (axis < 0 || !value.dim(axis).equals(output.dim(laneAxis))) {
      return false;
    }
    return value.elements().equals(output.dim(laneAxis))
        && value.dim(axis).isConstant()
        && !value.dim(axis).equals(Affine.ZERO);
  }
}
