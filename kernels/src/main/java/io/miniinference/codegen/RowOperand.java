package io.miniinference.codegen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operand 0 of a kernel that goes over rows of it, once or several times; it may be gathered.
///
/// A work item that finds a bad index goes on over zeros, with a mark that it makes known to its
/// group ahead of the next barrier. Behind that all of the group see whether there is such a mark,
/// and report together, or none does.
public final class RowOperand {
  private final KernelText text;
  private final Walk rows;
  private final OperandText operand;
  private final @Nullable IndexTupleText failing;
  private final boolean isShared;
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

    /// Opens the loop over the work item's part of the row.
    void openRow(KernelText text);

    /// Opens, inside that, a loop over elements of one index tuple that come one after the other,
    /// where the kernel has such a loop.
    default void openElements(KernelText text) {}

    /// Closes all that was opened.
    void closeRow(KernelText text);
  }

  /// @param failures block id of the failure slots
  public RowOperand(StepText s, Walk rows, int failures) {
    this.rows = rows;
    text = s.text();
    operand = new OperandText(s, 0, failures);
    failing = operand.mayFail() ? operand.tuple() : null;
    isShared = operand.sharesTuple(rows.inner());
    isMarked = failing != null && !isShared && failing.failsOnce(rows.inner());
  }

  /// Whether elements that differ on these axes alone have the same index tuple.
  public boolean sharesTuple(List<Integer> axes) {
    return operand.sharesTuple(axes);
  }

  /// Whether the tuple that was looked at may name nothing, so that `ok` is declared.
  public boolean mayNameNone() {
    IndexTupleText tuple = operand.tuple();
    return tuple != null && tuple.mayNameNone();
  }

  private boolean isGrouped() {
    return rows.local() > 1;
  }

  private List<Coordinate> at() {
    return rows.coordinates();
  }

  /// Statements ahead of the first walk over the row.
  public void open() {
    if (isShared) {
      operand.look(at());
      reportShared();
    } else if (isMarked) {
      text.line("int failed = 0;");
      if (isGrouped()) {
        text.line(FailureText.openGroup());
      }
    }
  }

  /* All of the group have the same index, and are of one mind. */
  private void reportShared() {
    if (failing != null) {
      text.open("if (" + (isGrouped() ? "t == 0 && " : "") + "(" + failing.isBad() + "))");
      failing.reportRow(at());
      text.close();
    }
  }

  /// Opens a walk over the work item's part of the row, and declares `value`, the element.
  public void openRow() {
    rows.openRow(text);
    if (!isShared) {
      look();
    }
    rows.openElements(text);
    operand.declare("value", at(), rows.loadsAhead());
  }

  private void look() {
    if (failing == null || isSeen) {
      operand.look(at());
    } else if (isMarked) {
      operand.look(at());
      text.line("failed |= " + failing.isBad() + ";");
    } else {
      failing.check(at());
    }
  }

  /// Closes the walk.
  public void closeRow() {
    rows.closeRow(text);
    if (isMarked && !isSeen && isGrouped()) {
      text.line(FailureText.markGroup());
    }
  }

  /// Statements after the first walk, for groups behind a barrier after it.
  public void decide() {
    if (isMarked && failing != null && !isSeen) {
      text.open("if (" + (isGrouped() ? FailureText.reportsForGroup() : "failed") + ")");
      failing.reportRow(at());
      text.close();
    }
    isSeen = true;
  }
}
