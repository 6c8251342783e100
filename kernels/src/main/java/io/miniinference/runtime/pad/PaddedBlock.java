package io.miniinference.runtime.pad;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A dense tensor inside a larger one of as many axes, both row-major: its elements have the same
/// indices there, and all others are padding.
///
/// @param own its shape
/// @param padded the shape of the larger one, nowhere smaller
/// @param elementBytes of both
record PaddedBlock(long[] own, long[] padded, int elementBytes) {

  /// Bytes of the tensor.
  long bytes() {
    return product(own, 0) * elementBytes;
  }

  /// Whether there is no padding.
  boolean isWhole() {
    return Arrays.equals(own, padded);
  }

  /// Moves the tensor from the start of some memory to where its elements are in the larger one,
  /// which fills that memory, and fills the rest with zeros.
  void spread(MemorySegment memory) {
    long end = memory.byteSize();
    for (long run = runs() - 1; run >= 0; run--) { // what lies ahead is not moved yet
      long to = offset(run);
      MemorySegment.copy(memory, run * runBytes(), memory, to, runBytes());
      memory.asSlice(to + runBytes(), end - to - runBytes()).fill((byte) 0);
      end = to;
    }
    memory.asSlice(0, end).fill((byte) 0);
  }

  /// Whether the tensor lies at the start of the larger one as it is.
  boolean isPrefix() {
    return runs() <= 1;
  }

  /// Copies the tensor out of the larger one.
  void cut(MemorySegment from, MemorySegment to) {
    for (long run = 0; run < runs(); run++) {
      MemorySegment.copy(from, offset(run), to, run * runBytes(), runBytes());
    }
  }

  /* The last axis with padding: from there on, elements of one index of the axes before are one run
  of bytes. */
  private int axis() {
    int axis = own.length - 1;
    while (axis > 0 && own[axis] == padded[axis]) {
      axis--;
    }
    return Math.max(axis, 0);
  }

  private long runs() {
    long runs = 1;
    for (int i = 0; i < axis(); i++) {
      runs *= own[i];
    }
    return bytes() == 0 ? 0 : runs;
  }

  private long runBytes() {
    return product(own, axis()) * elementBytes;
  }

  /* Where a run is in the larger tensor. */
  private long offset(long run) {
    long left = run;
    long elements = 0;
    for (int i = axis() - 1; i >= 0; i--) {
      elements += left % own[i] * product(padded, i + 1);
      left /= own[i];
    }
    return elements * elementBytes;
  }

  private static long product(long[] shape, int from) {
    long product = 1;
    for (int i = from; i < shape.length; i++) {
      product *= shape[i];
    }
    return product;
  }
}
