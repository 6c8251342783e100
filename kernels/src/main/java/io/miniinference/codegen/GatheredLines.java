package io.miniinference.codegen;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A matrix (of any rank) whose lines along its last axis are gathered: a line starts where its
/// index tuple says, and its elements lie at one distance from each other.
public final class GatheredLines {
  private final IndexFunction data;
  private final IndexTupleText tuple;
  private final int axis;

  private GatheredLines(LoweredStep gather, IndexTupleText tuple) {
    this.tuple = tuple;
    data = gather.inputs().getFirst().index();
    axis = lineAxis(gather.node());
  }

  /// The lines of input 0, which the kernel gathers.
  ///
  /// @param failures block id of the failure slots
  public static GatheredLines of(StepText s, int failures) {
    IndexTupleText tuple = new OperandText(s, 0, failures).tuple();
    return new GatheredLines(s.step().gather(), Objects.requireNonNull(tuple, "gathered"));
  }

  /// Whether what a Gather makes has such lines: each is named by one tuple, and a bad tuple may
  /// have the address of a line that is there, also where the batch is empty.
  static boolean suits(Node gather, IndexFunction data) {
    boolean hasElements =
        gather.inputs().getFirst().type().shape().stream()
            .allMatch(dim -> dim.isConstant() ? dim.constant() > 0 : dim.perBatch() > 0);
    boolean isPlain = gather.epilogue() == null && gather.output().type().rank() > 0;
    boolean hasLines =
        hasElements
            && IndexTupleText.hasPlace(addressing(gather), gather.inputs().getFirst().type());
    return isPlain && hasLines && lineAxis(gather) >= 0 && isEven(data, lineAxis(gather));
  }

  /// Whether the lines still are such where the data lies now.
  public static boolean canWrite(LoweredStep step) {
    LoweredStep gather = step.gather();
    return isEven(gather.inputs().getFirst().index(), lineAxis(gather.node()));
  }

  private static boolean isEven(IndexFunction data, int axis) {
    Axis along = data.axes().get(axis);
    return !along.isBlocked() && along.stride().isConstant();
  }

  /* The axis of the data along which lines lie; −1 if one line has several tuples. */
  private static int lineAxis(Node gather) {
    Addressing addressing = addressing(gather);
    int last = gather.output().type().rank() - 1;
    return addressing.sharesTuple(last)
        ? addressing.sources().indexOf(new Addressing.Source.Moved(last))
        : -1;
  }

  private static Addressing addressing(Node gather) {
    Op.Gather op = (Op.Gather) gather.op();
    return Addressing.of(
        op.selection(), gather.inputs().getFirst().type(), gather.inputs().get(1).type());
  }

  /// How a line's elements lie in memory.
  public IndexFunction data() {
    return data;
  }

  public IndexTupleText tuple() {
    return tuple;
  }

  /// The axis of [#data] along which lines lie.
  public int axis() {
    return axis;
  }

  /// Elements from one element of a line to the next.
  public long stride() {
    return data.axes().get(axis).stride().asConstant();
  }

  /// Text of the offset of the first element of a line whose tuple is `ok`.
  ///
  /// @param line coordinates on all axes but the last
  public String start(List<Coordinate> line) {
    return IndexText.offset(data, tuple.place(first(line)));
  }

  /// Text of the offset of an element that is there, whatever a tuple says.
  public String anywhere() {
    return IndexText.affine(data.offset());
  }

  /// The coordinates of the first element of a line.
  public static List<Coordinate> first(List<Coordinate> line) {
    List<Coordinate> at = new ArrayList<>(line);
    at.add(Coordinate.ZERO);
    return at;
  }

  /// Coordinates of the line with a row-major number, among those of an operand of this shape.
  public static List<Coordinate> line(List<Affine> shape, String number) {
    return IndexText.coordinates(shape.subList(0, shape.size() - 1), number);
  }
}
