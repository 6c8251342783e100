package io.miniinference.interp.memory;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Addressing.Source;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;

/// The index tuples of a Gather or Scatter, checked. At the first bad index all bad ones are
/// reported, from the start of the tensor on, so that each thread that meets one reports the same.
public final class IndexTuples {
  private final Addressing addressing;
  private final IndexBounds bounds;
  private final TensorView indices;
  private final long[] sizes;
  private final boolean batchRows;
  private final FailureSink failures;
  private final long[] where;
  private boolean reported;

  /// What is known of a node's index tuples before it runs.
  ///
  /// @param batchRows whether axis 0 of the indices is the batch
  public record Factory(Addressing addressing, IndexBounds bounds, boolean batchRows) {
    public static Factory of(Node node, Selection selection, IndexBounds bounds) {
      TensorType data = node.inputs().get(0).type();
      TensorType indices = node.inputs().get(1).type();
      return new Factory(
          Addressing.of(selection, data, indices), bounds, FailureSink.hasBatchRows(indices));
    }

    public IndexTuples bind(Task task) {
      return new IndexTuples(addressing, bounds, batchRows, task);
    }
  }

  /// @param task of which operand 0 is the data and operand 1 the indices
  private IndexTuples(Addressing addressing, IndexBounds bounds, boolean batchRows, Task task) {
    this.addressing = addressing;
    this.bounds = bounds;
    this.indices = task.operand(1);
    this.batchRows = batchRows;
    this.failures = task.failures();
    this.where = new long[indices.rank()];
    this.sizes = new long[addressing.tupleLength()];
    for (int c = 0; c < sizes.length; c++) {
      sizes[c] = task.operand(0).dim(addressing.dataAxis(c));
    }
  }

  /// Finds the place in the data of a moved element.
  ///
  /// @param moved its index in the moved array
  /// @param place takes its index in the data
  /// @return whether it has one; if not, `place` is unspecified
  public boolean locate(long[] moved, long[] place) {
    System.arraycopy(moved, addressing.firstAxis(), where, 0, addressing.tupleAxes());
    for (int axis = 0; axis < place.length; axis++) {
      place[axis] =
          switch (addressing.sources().get(axis)) {
            case Source.Moved(int from) -> moved[from];
            case Source.Component(int number) -> component(number);
          };
      if (place[axis] < 0) {
        return false;
      }
    }
    return true;
  }

  private long component(int number) {
    if (addressing.alongAxis()) {
      where[where.length - 1] = number;
    }
    long value = indices.wholeAt(indices.strides().offset(where));
    long resolved = resolve(value, sizes[number]);
    if (resolved < 0 && !reported && !isIgnored(value)) {
      reported = true;
      reportAll();
    }
    return resolved;
  }

  private boolean isIgnored(long index) {
    return bounds.ignored() != null && bounds.ignored() == index;
  }

  /* The place that the index names, or −1. */
  private long resolve(long index, long size) {
    if (isIgnored(index)) {
      return -1;
    }
    if (index < 0 && bounds.fromEnd() && indices.element() != ElementType.U64) {
      return index < -size ? -1 : index + size;
    }
    return index < 0 || index >= size ? -1 : index;
  }

  private void reportAll() {
    long count = indices.elements();
    long perRow = batchRows ? count / indices.dim(0) : 1;
    for (long position = 0; position < count; position++) {
      long index = indices.wholeAt(indices.offsetAt(position));
      int component = addressing.alongAxis() ? (int) (position % sizes.length) : 0;
      long size = sizes[component];
      if (resolve(index, size) < 0 && !isIgnored(index)) {
        long row = batchRows ? position / perRow : FailureSink.NO_ROW;
        long low = bounds.fromEnd() ? -size : 0;
        failures.index(row, position, index, low, size - 1, addressing.dataAxis(component));
      }
    }
  }
}
