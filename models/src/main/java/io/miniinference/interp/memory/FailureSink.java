package io.miniinference.interp.memory;

import io.miniinference.ir.Node;
import io.miniinference.ir.TensorType;

/// Where a node reports what it found wrong with the data. The node's result is zero there, and it
/// goes on.
///
/// Several threads that run shares of one node may report the same failure. Whoever wants one
/// report per row keeps the lowest position.
public interface FailureSink {

  /// The row of a failure that belongs to no batch row.
  long NO_ROW = -1;

  /// The iteration of a failure outside loops.
  long NO_ITERATION = -1;

  /// An index outside `[low, high]`.
  ///
  /// @param row coordinate on axis 0 of the index tensor if that axis is the batch, else [#NO_ROW]
  /// @param position of the index in its tensor, row-major
  /// @param axis of the indexed tensor
  void index(long row, long position, long index, long low, long high, int axis);

  /// An integer division or remainder by zero.
  ///
  /// @param row coordinate on axis 0 of the result if that axis is the batch, else [#NO_ROW]
  /// @param position in the result, row-major
  void divisionByZero(long row, long position);

  /// Throws [DataFailure] at the first report.
  static FailureSink throwing(String node) {
    return throwing(node, NO_ITERATION);
  }

  /// Throws [DataFailure] at the first report.
  ///
  /// @param iteration of the loop around the node, or [#NO_ITERATION]
  static FailureSink throwing(Node node, long iteration) {
    return throwing(node.name(), iteration);
  }

  private static FailureSink throwing(String node, long iteration) {
    String when = iteration == NO_ITERATION ? "" : ", iteration " + iteration;
    return new FailureSink() {
      @Override
      public void index(long row, long position, long index, long low, long high, int axis) {
        throw new DataFailure(
            "node '%s': index %d is outside [%d, %d] on axis %d%s, position %d"
                .formatted(node, index, low, high, axis, when, position));
      }

      @Override
      public void divisionByZero(long row, long position) {
        throw new DataFailure(
            "node '%s': division by zero%s, position %d".formatted(node, when, position));
      }
    };
  }

  /// Whether axis 0 is the batch.
  static boolean hasBatchRows(TensorType type) {
    return type.rank() > 0 && !type.dim(0).isConstant();
  }
}
