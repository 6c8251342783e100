package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import java.util.Arrays;

/// The matrix product, one element at a time. Products of `F32` are added in their order, each
/// fused with its sum ([Math#fma(float, float, float)]), those of other floats in double precision.
public final class PlainMatMul implements Producer {
  private final TensorView a;
  private final TensorView b;
  private final long depth;
  private final long[] indexA;
  private final long[] indexB;

  PlainMatMul(Op.MatMul op, Task task) {
    long[] shape = task.output().shape();
    a = lead(swap(task.operand(0), op.transposeA()), shape);
    b = lead(swap(task.operand(1), op.transposeB()), shape);
    depth = a.dim(a.rank() - 1);
    indexA = new long[shape.length];
    indexB = new long[shape.length];
  }

  public static TensorView swap(TensorView view, boolean transposed) {
    return transposed ? view.with(view.strides().swapLast()) : view;
  }

  /// Broadcasts the leading axes to those of the result; the last two stay.
  public static TensorView lead(TensorView view, long[] result) {
    long[] shape = result.clone();
    int rank = view.rank();
    for (int i = 1; i <= 2; i++) {
      shape[shape.length - i] = view.dim(rank - i);
    }
    return Arrays.equals(shape, view.shape())
        ? view
        : view.with(view.strides().broadcastLeading(shape));
  }

  @Override
  public void produce(Cursor cursor) {
    int rank = indexA.length;
    System.arraycopy(cursor.index, 0, indexA, 0, rank);
    System.arraycopy(cursor.index, 0, indexB, 0, rank);
    indexA[rank - 1] = 0;
    indexB[rank - 2] = 0;
    long atA = a.strides().offset(indexA);
    long atB = b.strides().offset(indexB);
    if (a.element() == ElementType.F32) {
      cursor.real = fused(atA, atB, rank);
    } else if (a.element().isFloat()) {
      cursor.real = reals(atA, atB, rank);
    } else {
      cursor.whole = wholes(atA, atB, rank);
    }
  }

  private float fused(long atA, long atB, int rank) {
    float sum = 0;
    for (long k = 0; k < depth; k++) {
      sum =
          Math.fma(
              a.floatAt(atA + a.strides().along(rank - 1, k)),
              b.floatAt(atB + b.strides().along(rank - 2, k)),
              sum);
    }
    return sum;
  }

  private double reals(long atA, long atB, int rank) {
    double sum = 0;
    for (long k = 0; k < depth; k++) {
      sum +=
          a.realAt(atA + a.strides().along(rank - 1, k))
              * b.realAt(atB + b.strides().along(rank - 2, k));
    }
    return sum;
  }

  private long wholes(long atA, long atB, int rank) {
    long sum = 0;
    for (long k = 0; k < depth; k++) {
      sum +=
          a.wholeAt(atA + a.strides().along(rank - 1, k))
              * b.wholeAt(atB + b.strides().along(rank - 2, k));
    }
    return sum;
  }
}
