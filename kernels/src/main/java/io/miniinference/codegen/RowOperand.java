package io.miniinference.codegen;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operand 0 of a kernel that goes over rows of it, once or several times; it may be gathered.
///
/// A work item that has a row for itself tests all index tuples of it ahead of the first walk
/// ([TestedTuples]). Where a group shares the row, it asks on its first walk: a work item that
/// finds a bad index goes on over zeros, with a mark made known to the group ahead of the next
/// barrier. Behind that all of the group see whether there is such a mark, and report together, or
/// none does.
public final class RowOperand {
  private static final Template REPORT =
      Template.of(
          "report for a row",
          """
          if ($condition) {
            $row
          }
          """);

  private final Walk rows;
  private final OperandText operand;
  private final @Nullable IndexTupleText failing;
  private final boolean isShared;
  private final @Nullable TestedTuples tested;
  private final boolean isMarked;
  private boolean isSeen;

  /// How a kernel goes over a row.
  public interface Walk {
    /// The axes inside a row.
    List<Integer> inner();

    /// Work items of the group that shares a row, 1 for one work item alone.
    int local();

    /// The coordinates of the element in turn.
    List<Coordinate> coordinates();

    /// Whether a work item hides the time of a load behind its next loads, so that none may hang on
    /// a condition.
    default boolean loadsAhead() {
      return false;
    }

    /// `body` in the loop over the work item's part of the row.
    String row(String body);

    /// `body` in a loop, inside that, over elements of one index tuple that come one after the
    /// other, where the kernel has such a loop.
    ///
    /// @param mayNameNone whether the tuple may name nothing, so that `ok` is declared
    default String elements(boolean mayNameNone, String body) {
      return body;
    }

    /// How many such elements the kernel takes at a time, as a vector of floats that are next to
    /// each other ([RowOperand#isDense]).
    default int vector() {
      return 1;
    }
  }

  /// @param failures block id of the failure slots
  public RowOperand(StepText s, Walk rows, int failures) {
    this.rows = rows;
    operand = new OperandText(s, 0, failures);
    failing = operand.mayFail() ? operand.tuple() : null;
    isShared = operand.sharesTuple(rows.inner());
    boolean asks = failing != null && !isShared;
    tested = asks && !isGrouped() ? new TestedTuples(requireNonNull(failing)) : null;
    isMarked = asks && isGrouped() && requireNonNull(failing).failsOnce(rows.inner());
  }

  /// Whether elements that differ on these axes alone have the same index tuple.
  public boolean sharesTuple(List<Integer> axes) {
    return operand.sharesTuple(axes);
  }

  /// Whether elements along an axis inside what an index tuple names are floats next to each other.
  public boolean isDense(int axis) {
    return operand.isDense(axis);
  }

  private boolean isGrouped() {
    return rows.local() > 1;
  }

  private List<Coordinate> at() {
    return rows.coordinates();
  }

  /// Statements ahead of the first walk over the row.
  public String open() {
    if (isShared) {
      return Statements.of(operand.look(at()), reportShared());
    }
    if (tested != null) {
      return Statements.of(tested.open(), rows.row(tested.test(at())));
    }
    return isMarked ? Statements.of("int failed = 0;", FailureText.openGroup()) : "";
  }

  /* All of the group have the same index, and are of one mind. */
  private String reportShared() {
    return failing == null
        ? ""
        : report(failing, (isGrouped() ? "t == 0 && " : "") + "(" + failing.isBad() + ")");
  }

  private String report(IndexTupleText tuple, String condition) {
    return REPORT.with("condition", condition).with("row", tuple.reportRow(at())).text();
  }

  /// Statements of a walk over the work item's part of the row, with and without questions where
  /// the row was tested.
  ///
  /// @param body what is done with `value`, the element
  public String walk(String body) {
    return tested != null
        ? tested.walk(tuple -> walk(operand.with(tuple), body))
        : walk(operand, body);
  }

  private String walk(OperandText from, String body) {
    String element =
        rows.vector() > 1
            ? from.declareVector("value", at(), rows.vector())
            : from.declare("value", at(), rows.loadsAhead());
    String taken = rows.elements(from.mayNameNone(), Statements.of(element, body));
    String mark = isMarked && !isSeen ? FailureText.markGroup() : "";
    return Statements.of(rows.row(Statements.of(isShared ? "" : look(from), taken)), mark);
  }

  private String look(OperandText from) {
    if (isMarked && !isSeen) {
      return requireNonNull(failing).mark(at());
    }
    return isSeen ? from.look(at()) : from.check(at());
  }

  /// Statements after the first walk, for groups behind a barrier after it.
  public String decide() {
    boolean reports = isMarked && !isSeen;
    isSeen = true;
    return reports ? report(requireNonNull(failing), FailureText.reportsForGroup()) : "";
  }
}
