package io.miniinference.lower.steps;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The part of its data that a Scatter writes whose indices are known at load: per indexed axis
/// every `step`-th place, in order. Its updates can then be built where they go, as the operands of
/// a Concat are.
final class WrittenPart {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final TensorType data;
  private final Tensor indices;
  private final List<Affine> starts;
  private final List<Long> steps;
  private final List<Affine> extents;

  private WrittenPart(TensorType data, Tensor indices) {
    this.data = data;
    this.indices = indices;
    starts = new ArrayList<>(Collections.nCopies(data.rank(), Affine.ZERO));
    steps = new ArrayList<>(Collections.nCopies(data.rank(), 1L));
    extents = new ArrayList<>(data.shape());
  }

  /// The movement from the data's shape to the part that is written, if it is one that no index
  /// leaves and nothing combines with. The updates are that part in a shape of their own.
  static Optional<Movement> of(Node node, Op.Scatter op, Tensor indices) {
    boolean known = indices.element() == ElementType.I32 || indices.element() == ElementType.I64;
    if (op.kind() != Op.ScatterKind.REPLACE || !known || indices.elements() == 0) {
      return Optional.empty();
    }
    WrittenPart part = new WrittenPart(node.inputs().getFirst().type(), indices);
    boolean regular =
        switch (op.selection()) {
          case Selection.Tuples(int batchDims) -> batchDims == 0 && part.tuples();
          case Selection.Elements(int axis) -> part.elements(axis);
          case Selection.Slices _ -> false;
        };
    return regular
        ? Optional.of(new Movement.Slice(part.starts, part.steps, part.extents))
        : Optional.empty();
  }

  private long index(long at) {
    return indices.element() == ElementType.I32
        ? indices.data().get(INT, at * Integer.BYTES)
        : indices.data().get(LONG, at * Long.BYTES);
  }

  private boolean tuples() {
    int width = Math.toIntExact(indices.shape()[indices.shape().length - 1]);
    long count = width == 0 ? 0 : indices.elements() / width;
    long inner = count;
    for (int axis = 0; axis < width; axis++) {
      inner = take(axis, width, inner);
      if (inner == 0) {
        return false;
      }
    }
    return inner == 1 && isGrid(width, count);
  }

  /* Takes start, step and extent of an axis from the tuples that begin each run of `run` tuples with
  the same leading places. Returns how many tuples share a place on this axis, too; 0 if they are in
  no order. */
  private long take(int axis, int width, long run) {
    long first = place(axis, index(axis));
    long same = 1;
    while (same < run && place(axis, index(same * width + axis)) == first) {
      same++;
    }
    if (run % same != 0) {
      return 0;
    }
    long extent = run / same;
    long second = extent == 1 ? first + 1 : place(axis, index(same * width + axis));
    return set(axis, first, second - first, extent) ? same : 0;
  }

  private boolean set(int axis, long first, long step, long extent) {
    Affine size = data.dim(axis);
    boolean inside =
        size.isConstant()
            && first >= 0
            && step > 0
            && step <= size.constant()
            && first + (extent - 1) * step < size.constant();
    starts.set(axis, Affine.of(first));
    steps.set(axis, step);
    extents.set(axis, Affine.of(extent));
    return inside;
  }

  /* A negative index counts from the end; what is outside stays so. */
  private long place(int axis, long index) {
    Affine size = data.dim(axis);
    return index < 0 && size.isConstant() ? index + size.constant() : index;
  }

  /* Whether the tuples are all combinations of the places taken, in row-major order. */
  private boolean isGrid(int width, long count) {
    for (long tuple = 0; tuple < count; tuple++) {
      long rest = tuple;
      for (int axis = width - 1; axis >= 0; axis--) {
        long extent = extents.get(axis).constant();
        if (!isAt(axis, rest % extent, index(tuple * width + axis))) {
          return false;
        }
        rest /= extent;
      }
    }
    return true;
  }

  private boolean isAt(int axis, long number, long index) {
    return place(axis, index) == starts.get(axis).constant() + number * steps.get(axis);
  }

  private boolean elements(int axis) {
    long[] shape = indices.shape();
    long inner = 1;
    for (int i = 0; i < shape.length; i++) {
      boolean fits = i == axis || set(i, 0, 1, shape[i]);
      inner = i > axis ? inner * shape[i] : inner;
      if (!fits) {
        return false;
      }
    }
    long first = place(axis, index(0));
    long second = shape[axis] == 1 ? first + 1 : place(axis, index(inner));
    if (!set(axis, first, second - first, shape[axis])) {
      return false;
    }
    for (long at = 0; at < indices.elements(); at++) {
      if (!isAt(axis, at / inner % shape[axis], index(at))) {
        return false;
      }
    }
    return true;
  }
}
