package io.miniinference.interp.memory;

import io.miniinference.ir.Window;
import java.util.List;

/// A walk over the taps of a window at one output position.
public final class Taps {
  private final int rank;
  private final int count;
  private final int[] kernel;
  private final int[] strides;
  private final int[] dilations;
  private final int[] padsBegin;
  private final int[] padsEnd;

  /// The tap, per spatial axis.
  public final long[] tap;

  /// Where the tap lies in the input, per spatial axis; may be outside.
  public final long[] at;

  public Taps(Window window) {
    this.rank = window.rank();
    this.count = window.kernel().stream().reduce(1, Math::multiplyExact);
    this.kernel = ints(window.kernel());
    this.strides = ints(window.strides());
    this.dilations = ints(window.dilations());
    this.padsBegin = ints(window.padsBegin());
    this.padsEnd = ints(window.padsEnd());
    this.tap = new long[rank];
    this.at = new long[rank];
  }

  /* A list's boxes take a walk longer than what is computed at its taps. */
  private static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  public int count() {
    return count;
  }

  /// To tap number `k` (row-major) of the output position in `index[2…]`.
  public void moveTo(int k, long[] index) {
    int rest = k;
    for (int i = rank - 1; i >= 0; i--) {
      int extent = kernel[i];
      tap[i] = rest % extent;
      rest /= extent;
      at[i] = index[2 + i] * strides[i] - padsBegin[i] + tap[i] * dilations[i];
    }
  }

  /// To tap number `k` of a transposed convolution: [#at] is the input position that the tap
  /// carries to the output position in `index[2…]`, or −1 if none.
  public void moveBack(int k, long[] index) {
    int rest = k;
    for (int i = rank - 1; i >= 0; i--) {
      int extent = kernel[i];
      tap[i] = rest % extent;
      rest /= extent;
      long reached = index[2 + i] + padsBegin[i] - tap[i] * dilations[i];
      int stride = strides[i];
      at[i] = reached % stride == 0 ? reached / stride : -1;
    }
  }

  /// Whether the tap lies in `view`, whose spatial axes start at 2.
  public boolean inside(TensorView view) {
    for (int i = 0; i < rank; i++) {
      if (at[i] < 0 || at[i] >= view.dim(2 + i)) {
        return false;
      }
    }
    return true;
  }

  /// Whether the tap lies in `view` or its padding; windows of ceil mode may reach past both.
  public boolean insidePadding(TensorView view) {
    for (int i = 0; i < rank; i++) {
      if (at[i] < -padsBegin[i] || at[i] >= view.dim(2 + i) + padsEnd[i]) {
        return false;
      }
    }
    return true;
  }
}
