package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Op;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.List;
import java.util.stream.IntStream;

/// Elementwise computation in the blocked layout that reads other pixels than it writes, but the
/// same channel, as a Resize does: the sixteen lanes of a block are neighbours wherever they are
/// read, so that the innermost loop, which goes over them, is one of vectors. It has no text of its
/// own: the driver's compiler makes vectors of the loop, since where to read is the same for all
/// lanes.
public final class ChannelLanes {
  private static final int CHANNELS = 1;
  private static final Expr OWN_CHANNEL = new Expr.Index(CHANNELS);

  private final LoweredStep step;

  private ChannelLanes(LoweredStep step) {
    this.step = step;
  }

  /// Whether a step's loops are such.
  public static boolean fits(LoweredStep step, Op.Elementwise op) {
    return step.failure() == null
        && step.node().output().type().element() == ElementType.F32
        && areBlocks(step.output().index())
        && !ExprTree.computedArgs(op.expr()).isEmpty()
        && !Functions.areIn(op.expr())
        && new ChannelLanes(step).areVectors(op.expr());
  }

  /// Whether an expression reads an operand's own channel, wherever in the plane.
  public static boolean areRead(Expr expr, int input) {
    boolean reads =
        expr instanceof Expr.At(int k, List<Expr> coordinates)
            && k == input
            && coordinates.size() > CHANNELS
            && coordinates.get(CHANNELS).equals(OWN_CHANNEL);
    return reads || ExprTree.children(expr).stream().anyMatch(part -> areRead(part, input));
  }

  /// Whether channels lie in blocks of as many as there are lanes.
  public static boolean areBlocks(IndexFunction index) {
    return index.rank() > CHANNELS && index.axes().get(CHANNELS).block() == VectorText.LANES;
  }

  private boolean areVectors(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) -> areBlocks(array(k).index()) || isOne(k);
      case Expr.At(int k, List<Expr> coordinates) -> isVector(array(k), coordinates);
      case Expr.Index(int axis) -> axis != CHANNELS;
      case Expr.Const _, Expr.Extent _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ ->
          ExprTree.children(expr).stream().allMatch(this::areVectors);
    };
  }

  private Array array(int input) {
    return step.inputs().get(input);
  }

  private boolean isOne(int input) {
    return LaneRow.isOne(step.node().inputs().get(input).type().shape());
  }

  /// Whether an array lies as an image of known extents: only channels may be in blocks, and a
  /// turned view may have its blocks on any axis.
  public static boolean isPlane(IndexFunction x) {
    List<Axis> inner = x.axes().subList(1, x.rank());
    boolean elsewhere =
        IntStream.range(0, x.rank()).anyMatch(i -> i != 1 && x.axes().get(i).isBlocked());
    return !elsewhere
        && inner.stream()
            .allMatch(a ->
                a.extent().isConstant()
                    && a.extent().constant() > 0
                    && a.stride().isConstant()
                    && a.outerStride().isConstant());
  }

  /* A lane for each lane, or one element for all. */
  private static boolean isVector(Array array, List<Expr> coordinates) {
    return IntStream.range(0, coordinates.size())
        .allMatch(axis ->
            areBlocks(array.index()) && axis == CHANNELS
                ? coordinates.get(axis).equals(OWN_CHANNEL)
                : isSameForLanes(coordinates.get(axis)));
  }

  private static boolean isSameForLanes(Expr coordinate) {
    boolean own = coordinate instanceof Expr.Arg || coordinate.equals(OWN_CHANNEL);
    return !own && ExprTree.children(coordinate).stream().allMatch(ChannelLanes::isSameForLanes);
  }
}
