package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;

/// How the channels of a convolution fall into groups, none of which sees another's.
///
/// @param channels of the result
/// @param inputs channels of the operand in a group
/// @param outputs channels of the result in a group
/// @param taps of the window
record ConvGroups(int channels, int inputs, int outputs, int taps) {
  static ConvGroups of(Task task, int groups) {
    TensorView w = task.operand(1);
    int channels = Math.toIntExact(task.output().dim(1));
    int inputs = Math.toIntExact(task.operand(0).dim(1) / groups);
    long taps = w.elements() / Math.max(1, w.dim(0) * w.dim(1));
    return new ConvGroups(channels, inputs, channels / groups, Math.toIntExact(taps));
  }

  /// Products that an element of the result is the sum of.
  long depth() {
    return (long) inputs * taps;
  }

  /// The first channel of the operand that channel `m` of the result sees.
  long firstInput(long m) {
    return m / outputs * inputs;
  }

  /// Where the weights of a transposed convolution begin for channel `m` of the result and input
  /// `c` of its group, in elements.
  long transposedWeight(TensorView w, long m, int c) {
    long[] steps = w.strides().steps();
    return w.strides().base() + (firstInput(m) + c) * steps[0] + m % outputs * steps[1];
  }

  /// Goes over the planes of the result that a task computes.
  void forEach(Task task, Planes planes) {
    long end = task.first() + task.count();
    for (long item = task.first(); item < end; ) {
      long m = item % channels;
      long count = Math.min(end - item, outputs - m % outputs);
      planes.compute(item / channels, m, Math.toIntExact(count));
      item += count;
    }
  }

  /// Computes planes of the result.
  @FunctionalInterface
  interface Planes {
    /// Computes planes `m` to `m + count − 1` of image `n`, all of one group.
    void compute(long n, long m, int count);
  }
}
