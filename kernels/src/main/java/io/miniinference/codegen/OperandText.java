package io.miniinference.codegen;

import static java.util.Objects.requireNonNull;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// OpenCL C text of how a kernel reads an operand that may have no array of its own, because the
/// kernel gathers it. Each element then needs its index tuple looked at before it is read; a bad
/// one is zero.
///
/// A kernel looks at tuples where it first goes over the operand, and keeps in a variable whether
/// it saw a bad one. When it is through, a work item that saw one reports: nothing in the loop
/// itself branches, and no work item leaves the others at a barrier.
public final class OperandText {
  private static final Template ELEMENT =
      Template.of(
          "element of an operand",
          """
          $gather
          const $type $name = $value;
          """);

  private static final Template LOADED =
      Template.of("gathered element", "const $type gathered = $read;");

  private static final Template LOADED_AHEAD =
      Template.of(
          "gathered element, loaded ahead",
          """
          const $type loaded = $read;
          const $type gathered = ok ? loaded : 0;
          """);

  private static final Template VECTOR =
      Template.of(
          "vector of gathered elements",
          "const float$elements $name = @load($elements, 0, &$first);");

  private final StepText s;
  private final int input;
  private final @Nullable StepText gather;
  private final @Nullable IndexTupleText tuple;

  /// @param input number of the operand
  /// @param failures block id of the failure slots
  public OperandText(StepText s, int input, int failures) {
    this.s = s;
    this.input = input;
    LoweredStep.Gathered gathered = s.step().gathered();
    boolean isGathered = gathered != null && gathered.operand() == input;
    gather = isGathered ? s.gather() : null;
    tuple =
        gather != null && gather.step().node().op() instanceof Op.Gather op
            ? new IndexTupleText(gather, op.selection(), op.bounds(), failures)
            : null;
  }

  private OperandText(
      StepText s, int input, @Nullable StepText gather, @Nullable IndexTupleText tuple) {
    this.s = s;
    this.input = input;
    this.gather = gather;
    this.tuple = tuple;
  }

  /// The same with another text of its tuples.
  OperandText with(IndexTupleText other) {
    return new OperandText(s, input, gather, other);
  }

  /// Whether a kernel of the node gathers an operand for itself: where it goes over rows of that,
  /// or where an index names whole rows of a matrix product's left operand, so that the product
  /// itself looks at none.
  ///
  /// @param data how the Gather's data lies
  public static boolean gathers(Node gather, IndexFunction data, Node node, int operand) {
    return switch (node.op()) {
      case Op.Reduce _, Op.RowMap _ -> operand == 0;
      case Op.MatMul op -> operand == 0 && !op.transposeA() && GatheredLines.suits(gather, data);
      case Op.Elementwise _,
          Op.Rearrangement _,
          Op.Indexed _,
          Op.Positional _,
          Op.Convolution _,
          Op.WindowReduce _,
          Op.Attention _,
          Op.Control _ ->
          false;
    };
  }

  /// How the elements of an operand lie that a kernel goes over: an operand that is gathered lies
  /// nowhere, and is best gone over in logical order.
  public static IndexFunction index(LoweredStep step, int input) {
    LoweredStep.Gathered gathered = step.gathered();
    return gathered != null && gathered.operand() == input
        ? IndexFunction.rowMajor(gathered.node().output().type().shape())
        : step.inputs().get(input).index();
  }

  public boolean mayFail() {
    return tuple != null && tuple.mayFail();
  }

  /// Whether a tuple that was looked at may name nothing, so that `ok` is declared.
  boolean mayNameNone() {
    return tuple != null && tuple.mayNameNone();
  }

  /// The tuples of an operand that is gathered.
  public @Nullable IndexTupleText tuple() {
    return tuple;
  }

  /// Whether elements that differ on these axes alone have the same tuple, so that one look is
  /// enough.
  public boolean sharesTuple(List<Integer> axes) {
    return tuple != null && axes.stream().allMatch(tuple.addressing()::sharesTuple);
  }

  /// Whether elements along an axis, of an operand that is gathered inside what a tuple names, are
  /// floats next to each other.
  boolean isDense(int axis) {
    if (gather == null) {
      Axis along = s.step().inputs().get(input).index().axes().get(axis);
      return s.element(input) == ElementType.F32 && !along.isBlocked() && along.stride().isSingle();
    }
    if (tuple == null
        || gather.element(0) != ElementType.F32
        || gather.step().node().epilogue() != null) {
      return false;
    }
    int named = tuple.addressing().sources().indexOf(new Addressing.Source.Moved(axis));
    Axis along = gather.step().inputs().getFirst().index().axes().get(named);
    return !along.isBlocked() && along.stride().isSingle();
  }

  /// Statements that look at the tuple of an element, if it has one.
  public String look(List<Coordinate> at) {
    return tuple == null ? "" : tuple.look(at);
  }

  /// As [#look], and reports a bad tuple at once.
  public String check(List<Coordinate> at) {
    return tuple == null ? "" : tuple.check(at);
  }

  /// Statements that declare constant `name` as the element at `at`, whose tuple was looked at.
  public String declare(String name, List<Coordinate> at) {
    return declare(name, at, false);
  }

  /// As [#declare].
  ///
  /// @param ahead whether to load without waiting for whether the tuple is bad, where the data has
  ///   a place to load from instead
  String declare(String name, List<Coordinate> at, boolean ahead) {
    Template.Filling element = ELEMENT.with("type", s.type(input).computed()).with("name", name);
    if (gather == null || tuple == null) {
      return element.with("gather", "").with("value", s.read(input, at)).text();
    }
    return element
        .with("gather", gathered(gather, tuple, at, ahead))
        .with("value", gather.epilogue("gathered", gather.element(0), at))
        .text();
  }

  private static String gathered(
      StepText gather, IndexTupleText tuple, List<Coordinate> at, boolean ahead) {
    boolean elsewhere = ahead && tuple.mayNameNone() && tuple.hasPlace();
    String read = gather.read(0, elsewhere ? tuple.placeOrFirst(at) : tuple.place(at));
    return (elsewhere ? LOADED_AHEAD : LOADED)
        .with("type", gather.type(0).computed())
        .with("read", elsewhere ? read : tuple.orZero(read))
        .text();
  }

  /// Declares a vector of as many elements as lie from those coordinates on, where the operand is
  /// gathered of a tuple that is `ok`, along an axis on which they are dense ([#isDense]).
  String declareVector(String name, List<Coordinate> at, int elements) {
    String first =
        gather == null
            ? s.read(input, at)
            : gather.read(0, requireNonNull(tuple, "gathered").place(at));
    return VECTOR.with("elements", elements).with("name", name).with("first", first).text();
  }
}
