package io.miniinference.interp.fast;

import io.miniinference.ir.Window;

/// One spatial axis of a transposed convolution. Output `p + stride · i` of remainder `p` is
/// reached from input `i + shift(k, p)` through each tap `k` that reaches the remainder.
///
/// @param first the smallest shift of all taps and remainders
/// @param reach how much larger the largest is
record SpreadAxis(
    int kernel, int stride, int dilation, int pad, int inputs, int outputs, int first, int reach) {

  static SpreadAxis of(Window window, int axis, long inputs, long outputs) {
    int kernel = window.kernel().get(axis);
    int stride = window.strides().get(axis);
    int dilation = window.dilations().get(axis);
    int pad = window.padsBegin().get(axis);
    int least = Math.floorDiv(pad - (kernel - 1) * dilation, stride);
    int most = Math.floorDiv(stride - 1 + pad, stride);
    return new SpreadAxis(
        kernel,
        stride,
        dilation,
        pad,
        Math.toIntExact(inputs),
        Math.toIntExact(outputs),
        least,
        most - least);
  }

  /// The axis that an image of one dimension lacks.
  static SpreadAxis missing() {
    return new SpreadAxis(1, 1, 1, 0, 1, 1, 0, 0);
  }

  /// Whether a tap reaches outputs of a remainder.
  boolean reaches(int k, int p) {
    return Math.floorMod(p + pad - k * dilation, stride) == 0;
  }

  /// Where what a tap carries to the first output of a remainder is, counted from [#first].
  int at(int k, int p) {
    return Math.floorDiv(p + pad - k * dilation, stride) - first;
  }

  /// Most outputs of a remainder.
  int most() {
    return Math.ceilDiv(outputs, stride);
  }

  /// Outputs of a remainder among `count` from number `from` on.
  int outputs(int p, int from, int count) {
    int all = Math.max(0, Math.ceilDiv(outputs - p, stride));
    return Math.clamp(all - from, 0, count);
  }

  /// Inputs that `count` neighbouring outputs of a remainder are reached from, at most.
  int seen(int count) {
    return count + reach;
  }
}
