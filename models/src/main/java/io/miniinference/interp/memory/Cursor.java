package io.miniinference.interp.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A walk over the output's indices in row-major order that keeps the offset of each operand which
/// is read there. Expressions are evaluated at a cursor.
public final class Cursor {
  public final long n;
  public final long[] shape;
  public final long[] index;

  /// Operands as they are, for computed coordinates.
  public final TensorView[] operands;

  /// Operands broadcast to `shape`; null where one is only read at computed coordinates.
  final @Nullable TensorView[] broadcast;

  public final long[] offsets;

  /// Set when an integer was divided by zero; cleared by who reports it.
  public boolean dividedByZero;

  /// What [io.miniinference.ir.Expr.Arg] 0 is in an epilogue or a reduction's map.
  public double real;

  /// As [#real], for integers and booleans.
  public long whole;

  private final long[] lastSteps;
  private final boolean[] lastBlocked;

  /// @param walked whether operand `k` is read at the walked index
  public Cursor(long n, long[] shape, List<TensorView> operands, boolean[] walked) {
    this.n = n;
    this.shape = shape;
    this.index = new long[shape.length];
    this.operands = operands.toArray(TensorView[]::new);
    this.broadcast = new TensorView[this.operands.length];
    this.offsets = new long[this.operands.length];
    this.lastSteps = new long[this.operands.length];
    this.lastBlocked = new boolean[this.operands.length];
    for (int k = 0; k < walked.length; k++) {
      if (walked[k]) {
        bind(k);
      }
    }
  }

  private void bind(int k) {
    TensorView view = operands[k];
    TensorView wide = view.with(view.strides().broadcast(shape));
    broadcast[k] = wide;
    if (shape.length > 0) {
      int last = shape.length - 1;
      lastSteps[k] = wide.strides().steps()[last];
      lastBlocked[k] = wide.strides().isBlocked(last);
    }
    offsets[k] = wide.strides().base();
  }

  public TensorView operand(int k) {
    TensorView view = broadcast[k];
    if (view == null) {
      throw new IllegalStateException("operand " + k + " is not walked");
    }
    return view;
  }

  public void moveTo(long position) {
    long rest = position;
    for (int i = shape.length - 1; i >= 0; i--) {
      index[i] = shape[i] == 0 ? 0 : rest % shape[i];
      rest = shape[i] == 0 ? 0 : rest / shape[i];
    }
    locate();
  }

  public void moveTo(long[] other) {
    System.arraycopy(other, 0, index, 0, index.length);
    locate();
  }

  private void locate() {
    for (int k = 0; k < offsets.length; k++) {
      TensorView view = broadcast[k];
      if (view != null) {
        offsets[k] = view.strides().offset(index);
      }
    }
  }

  /// To the next index in row-major order; after the last one the first follows.
  public void next() {
    int axis = shape.length - 1;
    if (axis < 0) {
      return;
    }
    if (++index[axis] < shape[axis]) {
      step(axis);
      return;
    }
    while (axis >= 0 && index[axis] >= shape[axis]) {
      index[axis] = 0;
      axis--;
      if (axis >= 0) {
        index[axis]++;
      }
    }
    locate();
  }

  private void step(int axis) {
    for (int k = 0; k < offsets.length; k++) {
      TensorView view = broadcast[k];
      if (view == null) {
        continue;
      }
      if (lastBlocked[k]) {
        Strides s = view.strides();
        offsets[k] += s.along(axis, index[axis]) - s.along(axis, index[axis] - 1);
      } else {
        offsets[k] += lastSteps[k];
      }
    }
  }

  /// Reports a division by zero at the index.
  public void report(boolean batchRows, FailureSink failures) {
    dividedByZero = false;
    failures.divisionByZero(batchRows ? index[0] : FailureSink.NO_ROW, position());
  }

  /// Position of the index in row-major order.
  public long position() {
    long position = 0;
    for (int i = 0; i < shape.length; i++) {
      position = position * shape[i] + index[i];
    }
    return position;
  }
}
