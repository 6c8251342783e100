package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import java.util.Arrays;

/// The shape that nested JSON arrays have, while they are read: all arrays of one depth must be
/// equally long, and as deep as the declared shape they must be as long as it says. A flat array,
/// or rows that are flat in themselves, fit every shape of as many elements.
final class Nesting {
  private static final int UNKNOWN = -1;

  private final String input;
  private final long[] shape;
  private final long[] lengths;
  private final long[] counts;
  private int depth;
  private int leafDepth = UNKNOWN;

  /// @param shape as the request declares it
  Nesting(String input, long[] shape) {
    this.input = input;
    this.shape = shape;
    int deepest = Math.max(1, shape.length);
    this.lengths = new long[deepest];
    this.counts = new long[deepest + 1];
    Arrays.fill(lengths, UNKNOWN);
  }

  boolean isOpen() {
    return depth > 0;
  }

  /// `[`
  void open() {
    if (depth == lengths.length) {
      throw ragged("is nested deeper than its shape of " + shape.length + " dimensions");
    }
    counts[depth]++;
    depth++;
    counts[depth] = 0;
    if (leafDepth != UNKNOWN && depth > leafDepth) {
      throw ragged("has numbers and arrays side by side");
    }
  }

  /// Numbers.
  void values(long count) {
    if (leafDepth == UNKNOWN) {
      leafDepth = depth;
    }
    if (depth != leafDepth) {
      throw ragged("has numbers and arrays side by side");
    }
    counts[depth] += count;
  }

  /// `]`
  void close() {
    long length = counts[depth];
    depth--;
    if (lengths[depth] == UNKNOWN) {
      lengths[depth] = length;
    } else if (lengths[depth] != length) {
      throw ragged(
          "is ragged: arrays of %d and of %d elements at depth %d"
              .formatted(lengths[depth], length, depth));
    }
  }

  /// Compares with the declared shape, at the end.
  void checkShape() {
    if (leafDepth == shape.length && leafDepth > 1 && !Arrays.equals(lengths, shape)) {
      throw ragged(
          "is nested as %s, but its shape is %s"
              .formatted(Arrays.toString(lengths), Arrays.toString(shape)));
    }
  }

  private InvalidRequestException ragged(String what) {
    return new InvalidRequestException("the data of input '" + input + "' " + what);
  }
}
