package io.miniinference.interp.fast;

import io.miniinference.ir.Window;
import java.util.stream.IntStream;

/// One spatial axis of a convolution whose input was copied such that each tap sees neighbours for
/// neighbouring outputs: an input with steps is split into phases, one for each remainder of an
/// index, and that of a transposed convolution is spread out, zeros between.
///
/// Output `o` sees through tap `k` element `o + shift(k)` of phase `phase(k)`.
///
/// @param pad elements of padding before the first
/// @param phases the remainders that taps see
@SuppressWarnings("ArrayRecordComponent")
record VectorAxis(
    int extent, int kernel, int stride, int dilation, int pad, boolean transposed, int[] phases) {

  static VectorAxis of(Window window, int axis, long extent, boolean transposed) {
    int kernel = window.kernel().get(axis);
    int stride = window.strides().get(axis);
    int dilation = window.dilations().get(axis);
    int[] phases =
        transposed
            ? new int[1]
            : IntStream.range(0, kernel)
                .map(k -> (int) ((long) k * dilation % stride))
                .distinct()
                .toArray();
    return new VectorAxis(
        Math.toIntExact(extent),
        kernel,
        stride,
        dilation,
        window.padsBegin().get(axis),
        transposed,
        phases);
  }

  /// The axis that an image of one dimension lacks.
  static VectorAxis missing() {
    return new VectorAxis(1, 1, 1, 1, 0, false, new int[1]);
  }

  /// Whether each output sees one element, of its own index.
  boolean isSame() {
    return kernel == 1 && stride == 1 && pad == 0;
  }

  /// The number of the phase that tap `k` sees.
  int phase(int k) {
    int remainder = transposed ? 0 : (int) ((long) k * dilation % stride);
    int number = 0;
    while (phases[number] != remainder) {
      number++;
    }
    return number;
  }

  long shift(int k) {
    return transposed ? (kernel - 1L - k) * dilation : (long) k * dilation / stride;
  }

  /// How many elements an output sees after the one of its own index, at most.
  long reach() {
    return transposed ? shift(0) : shift(kernel - 1);
  }

  /// The index of element `j` of a phase in the input, or −1 where that is padding or between.
  int source(int phase, int j) {
    long index = (long) j * stride + phases[phase] - pad;
    if (transposed) {
      long spread = (long) j - lead();
      index = spread % stride == 0 ? spread / stride : -1;
    }
    return index >= 0 && index < extent ? (int) index : -1;
  }

  /// How many elements of a spread input lie before the first.
  private long lead() {
    return reach() - pad;
  }

  /// The first element of a phase that is in the input.
  int first(int phase) {
    if (transposed) {
      return (int) (lead() >= 0 ? lead() : Math.floorMod(lead(), (long) stride));
    }
    return Math.max(0, Math.ceilDiv(pad - phases[phase], stride));
  }

  /// Elements of a phase between two that are in the input.
  int step() {
    return transposed ? stride : 1;
  }
}
