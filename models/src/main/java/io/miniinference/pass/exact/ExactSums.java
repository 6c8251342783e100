package io.miniinference.pass.exact;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.analysis.Interval;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Cuts weights of integers along the axis that is summed over, into as few parts as let floats
/// hold each sum of some of a part's products, in any order: all of them are at most 2^24 from
/// zero, up to where each integer is a float.
public final class ExactSums {
  /// Integers up to here are floats.
  public static final long MOST = 1L << 24;

  /// Indices that stay together: channels of a block, so that parts of images in blocks are whole
  /// blocks.
  private static final int TOGETHER = 16;

  /// Some of the weights, as floats.
  ///
  /// @param first index along the axis
  /// @param extent indices from there
  /// @param sums what a sum of products can be
  public record Part(long first, long extent, Tensor weights, Interval sums) {}

  private final Tensor weights;
  private final Interval x;
  private final int along;
  private final int kept;
  private final long inner;
  private final int mostParts;
  private final List<Part> parts = new ArrayList<>();

  /* Of each result, the sums of all products that are above zero, and below. */
  private final long[] above;
  private final long[] below;

  private ExactSums(Tensor weights, Cut cut) {
    this.weights = weights;
    this.x = cut.x();
    this.along = cut.along();
    this.kept = cut.kept();
    this.mostParts = cut.mostParts();
    inner = weights.elements() / Math.max(1, weights.shape()[along] * weights.shape()[kept]);
    above = new long[Math.toIntExact(weights.shape()[kept])];
    below = new long[above.length];
  }

  /// How weights are cut.
  ///
  /// @param along the axis that is summed over, 0 or 1
  /// @param kept the other one of these: each index of it has a sum of its own, over all other axes
  /// @param x what the other operand can be
  public record Cut(int along, int kept, Interval x, int mostParts) {}

  /// The parts in the order of the axis, one at least, if so many do.
  ///
  /// @param weights of 32-bit integers
  public static Optional<List<Part>> of(Tensor weights, Cut cut) {
    return new ExactSums(weights, cut).parts();
  }

  private Optional<List<Part>> parts() {
    long extent = weights.shape()[along];
    long first = 0;
    for (long at = 0; at < extent; at += TOGETHER) {
      long end = Math.min(at + TOGETHER, extent);
      Interval before = sums();
      add(at, end);
      if (isFull()) {
        parts.add(part(first, at, before));
        first = at;
        Arrays.fill(above, 0);
        Arrays.fill(below, 0);
        add(at, end);
      }
      if (isFull() || parts.size() >= mostParts) {
        return Optional.empty();
      }
    }
    parts.add(part(first, extent, sums()));
    return Optional.of(parts);
  }

  private Interval sums() {
    return new Interval(Arrays.stream(below).min().orElse(0), Arrays.stream(above).max().orElse(0));
  }

  private boolean isFull() {
    return sums().size() > MOST;
  }

  private void add(long from, long end) {
    for (int result = 0; result < above.length; result++) {
      for (long at = from; at < end; at++) {
        long start = element(weights.shape(), at, result);
        for (long i = start; i < start + inner; i++) {
          Interval products = x.times(Interval.of((int) ElementBits.raw(weights, i)));
          above[result] += Math.max(0, products.high());
          below[result] += Math.min(0, products.low());
        }
      }
    }
  }

  /* The first element at an index of either axis. */
  private long element(long[] shape, long at, long result) {
    return (along < kept ? at * shape[kept] + result : result * shape[along] + at) * inner;
  }

  /// Integers of 32 bits as floats.
  public static Tensor floats(Tensor integers) {
    MemorySegment data = floats(integers.elements());
    for (long i = 0; i < integers.elements(); i++) {
      data.set(JAVA_FLOAT, i * Float.BYTES, (int) ElementBits.raw(integers, i));
    }
    return new Tensor(ElementType.F32, integers.shape(), data);
  }

  private static MemorySegment floats(long count) {
    return Arena.ofAuto()
        .allocate(Math.max(1, count * Float.BYTES), Long.BYTES)
        .asSlice(0, count * Float.BYTES);
  }

  private Part part(long first, long end, Interval sums) {
    long[] shape = weights.shape().clone();
    shape[along] = end - first;
    MemorySegment data = floats(Tensor.elements(shape));
    for (int result = 0; result < above.length; result++) {
      for (long at = first; at < end; at++) {
        long from = element(weights.shape(), at, result);
        long to = element(shape, at - first, result);
        for (long i = 0; i < inner; i++) {
          int number = (int) ElementBits.raw(weights, from + i);
          data.set(JAVA_FLOAT, (to + i) * Float.BYTES, number);
        }
      }
    }
    return new Part(first, end - first, new Tensor(ElementType.F32, shape, data), sums);
  }
}
