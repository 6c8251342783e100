package io.miniinference.ir.analysis;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// The smallest and the largest of constant indices; of none at all, `least` is above `greatest`.
record IndexRange(long least, long greatest) {

  /// The ranges of the components of tuples, which lie one behind the other.
  static List<IndexRange> of(Tensor tensor, int tupleLength) {
    return IntStream.range(0, tupleLength).mapToObj(c -> of(tensor, c, tupleLength)).toList();
  }

  private static IndexRange of(Tensor tensor, int component, int tupleLength) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (long i = component; i < tensor.elements(); i += tupleLength) {
      long index = ElementBits.read(tensor, i).bits();
      least = Math.min(least, index);
      greatest = Math.max(greatest, index);
    }
    return new IndexRange(least, greatest);
  }

  /// Whether all are legal on an axis of that size, whatever the batch.
  boolean fits(Affine size, IndexBounds bounds) {
    return least > greatest
        || (size.isConstant()
            && least >= (bounds.fromEnd() ? -size.constant() : 0)
            && greatest < size.constant());
  }
}
