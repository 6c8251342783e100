package io.miniinference.interp.fast;

import io.miniinference.interp.memory.TensorView;
import java.util.Optional;

/// Where the weights of a convolution `[M, C, …]` lie: those of one channel of the result are
/// equally far apart, in order of the depth (channel by channel, tap by tap).
///
/// @param first offset of the first
/// @param output elements between channels of the result
/// @param depth elements between neighbours of the depth, or between the taps of a transposed one
record ConvWeights(long first, long output, long depth) {

  /// Where they lie, nothing if it is in another way.
  static Optional<ConvWeights> of(TensorView w) {
    if (w.strides().isBlocked()) {
      return Optional.empty();
    }
    long depth = stepOfLast(w, 1);
    return areApart(w, 1, depth)
        ? Optional.of(new ConvWeights(w.strides().base(), w.strides().steps()[0], depth))
        : Optional.empty();
  }

  /// Where those of a transposed convolution `[C, M, …]` lie, whose taps are equally far apart; the
  /// order of either channels may be any.
  static Optional<ConvWeights> turned(TensorView w) {
    if (w.strides().isBlocked()) {
      return Optional.empty();
    }
    long depth = stepOfLast(w, 2);
    return areApart(w, 2, depth)
        ? Optional.of(new ConvWeights(w.strides().base(), w.strides().steps()[1], depth))
        : Optional.empty();
  }

  /* Whether neighbours in the order of the axes from one on lie so far apart. */
  private static boolean areApart(TensorView w, int from, long depth) {
    long step = depth;
    for (int axis = w.rank() - 1; axis >= from; axis--) {
      if (w.dim(axis) != 1 && w.strides().steps()[axis] != step) {
        return false;
      }
      step *= w.dim(axis);
    }
    return true;
  }

  private static long stepOfLast(TensorView w, int from) {
    for (int axis = w.rank() - 1; axis >= from; axis--) {
      if (w.dim(axis) != 1) {
        return w.strides().steps()[axis];
      }
    }
    return 1;
  }

  /// The offset of a weight.
  long at(long m, long k) {
    return first + m * output + k * depth;
  }
}
