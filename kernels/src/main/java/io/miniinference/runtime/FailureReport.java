package io.miniinference.runtime;

import io.miniinference.ir.IndexBounds;
import io.miniinference.ops.node.NegativeSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One failure that a kernel recorded, or that the host found in sizes.
///
/// @param node the ONNX node's name, or `#k`
/// @param op the ONNX operator
/// @param axis dimension of the indexed tensor, null for a division
/// @param index the offending value, null for a division
/// @param low smallest legal value
/// @param high largest legal value
/// @param linear position in the index (or size, or broadcast divisor) tensor of the request
/// @param positionsPerRow positions of that tensor that belong to one row, 0 without a row
/// @param row batch row, null if the whole run failed
/// @param iteration iteration of the enclosing loop, null outside one
/// @param kind `index_out_of_bounds`, `division_by_zero` or `negative_size`
public record FailureReport(
    String node,
    String op,
    @Nullable Integer axis,
    @Nullable Long index,
    long low,
    long high,
    long linear,
    long positionsPerRow,
    @Nullable Integer row,
    @Nullable Integer iteration,
    String kind) {

  public static final String INDEX_OUT_OF_BOUNDS = "index_out_of_bounds";
  public static final String DIVISION_BY_ZERO = "division_by_zero";
  static final String NEGATIVE_SIZE = "negative_size";

  /// A size that the request's inputs make negative, as the host found it.
  public static FailureReport of(NegativeSize size) {
    return new FailureReport(
        size.node(),
        size.op(),
        size.axis(),
        size.size(),
        0,
        Long.MAX_VALUE,
        size.position(),
        0,
        null,
        size.iteration(),
        NEGATIVE_SIZE);
  }

  /// The negative size that a step found which takes it for an index.
  public FailureReport asSize(IndexBounds.Size size) {
    return new FailureReport(
        node,
        op,
        size.axis(),
        index,
        0,
        Long.MAX_VALUE,
        size.position(),
        0,
        row,
        iteration,
        NEGATIVE_SIZE);
  }

  /// Reports without those behind a negative size, where there is no value that could fail.
  ///
  /// @param reports in order of execution
  public static List<FailureReport> upToSize(List<FailureReport> reports) {
    for (int i = 0; i < reports.size(); i++) {
      if (reports.get(i).kind.equals(NEGATIVE_SIZE)) {
        return reports.subList(0, i + 1);
      }
    }
    return reports;
  }

  /// `node 'X' (Op): index I is outside [L, H] on axis A[, at row R][, iteration K], position P`
  /// and its kin.
  public String message() {
    StringBuilder text = new StringBuilder("node '" + node + "' (" + op + "): ");
    switch (kind) {
      case INDEX_OUT_OF_BOUNDS ->
          text.append("index " + index + " is outside [" + low + ", " + high + "] on axis " + axis);
      case DIVISION_BY_ZERO -> text.append("division by zero");
      default -> text.append("negative size " + index + " on axis " + axis);
    }
    text.append(row == null ? "" : ", at row " + row);
    text.append(iteration == null ? "" : ", iteration " + iteration);
    text.append(kind.equals(NEGATIVE_SIZE) ? "" : ", position " + linear);
    return text.toString();
  }

  /// The report as it reads to the owner of the rows from `first` on: as if these were all there
  /// are. One that belongs to no row is everybody's.
  FailureReport toOwnerOf(long first) {
    return row == null
        ? this
        : new FailureReport(
            node,
            op,
            axis,
            index,
            low,
            high,
            linear - first * positionsPerRow,
            positionsPerRow,
            (int) (row - first),
            iteration,
            kind);
  }
}
