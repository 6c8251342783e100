package io.miniinference.interp;

import io.miniinference.ir.ElementType;

/// The indices of a Gather, checked. At the first bad one all bad ones are reported, from the start
/// of the tensor on, so that each thread that meets one reports the same.
final class GatherIndices {
  private final TensorView indices;
  private final int axis;
  private final long size;
  private final boolean batchRows;
  private final FailureSink failures;
  private boolean reported;

  GatherIndices(Task task, int axis, boolean batchRows) {
    this.indices = task.operand(1);
    this.axis = axis;
    this.size = task.operand(0).dim(axis);
    this.batchRows = batchRows;
    this.failures = task.failures();
  }

  int rank() {
    return indices.rank();
  }

  /// The element of the axis that the index at `where` names, or −1 if there is none.
  long at(long[] where) {
    return checked(indices.wholeAt(indices.strides().offset(where)));
  }

  /// As [#at(long[])], by position.
  long at(long position) {
    return checked(indices.wholeAt(indices.offsetAt(position)));
  }

  private long checked(long value) {
    long index = resolve(value);
    if (index < 0 && !reported) {
      reported = true;
      reportAll();
    }
    return index;
  }

  private long resolve(long index) {
    if (index < 0 && indices.element() != ElementType.U64) {
      return index < -size ? -1 : index + size;
    }
    return index < 0 || index >= size ? -1 : index;
  }

  private void reportAll() {
    long count = indices.elements();
    long perRow = batchRows ? count / indices.dim(0) : 1;
    for (long position = 0; position < count; position++) {
      long index = indices.wholeAt(indices.offsetAt(position));
      if (resolve(index) < 0) {
        long row = batchRows ? position / perRow : FailureSink.NO_ROW;
        failures.index(row, position, index, -size, size - 1, axis);
      }
    }
  }
}
