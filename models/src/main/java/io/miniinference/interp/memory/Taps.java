package io.miniinference.interp.memory;

import io.miniinference.ir.Window;

/// A walk over the taps of a window at one output position.
public final class Taps {
  private final Window window;
  private final int rank;

  /// The tap, per spatial axis.
  public final long[] tap;

  /// Where the tap lies in the input, per spatial axis; may be outside.
  public final long[] at;

  public Taps(Window window) {
    this.window = window;
    this.rank = window.rank();
    this.tap = new long[rank];
    this.at = new long[rank];
  }

  public int count() {
    return window.kernel().stream().reduce(1, Math::multiplyExact);
  }

  /// To tap number `k` (row-major) of the output position in `index[2…]`.
  public void moveTo(int k, long[] index) {
    int rest = k;
    for (int i = rank - 1; i >= 0; i--) {
      int extent = window.kernel().get(i);
      tap[i] = rest % extent;
      rest /= extent;
      at[i] =
          index[2 + i] * window.strides().get(i)
              - window.padsBegin().get(i)
              + tap[i] * window.dilations().get(i);
    }
  }

  /// To tap number `k` of a transposed convolution: [#at] is the input position that the tap
  /// carries to the output position in `index[2…]`, or −1 if none.
  public void moveBack(int k, long[] index) {
    int rest = k;
    for (int i = rank - 1; i >= 0; i--) {
      int extent = window.kernel().get(i);
      tap[i] = rest % extent;
      rest /= extent;
      long reached = index[2 + i] + window.padsBegin().get(i) - tap[i] * window.dilations().get(i);
      int stride = window.strides().get(i);
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
      if (at[i] < -window.padsBegin().get(i)
          || at[i] >= view.dim(2 + i) + window.padsEnd().get(i)) {
        return false;
      }
    }
    return true;
  }
}
