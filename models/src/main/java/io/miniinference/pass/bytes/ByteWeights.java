package io.miniinference.pass.bytes;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Known weights, integers or floats of 32 bits, as the bytes that hold them, and the sum of those
/// of each result.
///
/// @param bytes of type `I8`
/// @param totals of type `I32`, as they broadcast to the results
record ByteWeights(Tensor bytes, Tensor totals) {
  /// The largest product of an unsigned byte and a signed one.
  private static final int LARGEST_PRODUCT = 255 * 128;

  /// What tells weights of one product from the same weights of another.
  private record Key(int kept) {}

  static Object key(Op product) {
    return new Key(keptAxis(product));
  }

  /// The weights, if each is a byte and no sum of products can leave 32 bits.
  static Optional<ByteWeights> of(Tensor weights, Op product) {
    int rank = weights.shape().length;
    boolean isMatrix = product instanceof Op.MatMul;
    long results = weights.shape()[keptAxis(product)];
    boolean fits =
        (!isMatrix || rank == 2)
            && results > 0
            && weights.elements() / results <= Integer.MAX_VALUE / LARGEST_PRODUCT;
    return fits ? bytes(weights).map(bytes -> withTotals(bytes, product)) : Optional.empty();
  }

  private static int keptAxis(Op product) {
    return product instanceof Op.MatMul it && !it.transposeB() ? 1 : 0;
  }

  private static Optional<Tensor> bytes(Tensor weights) {
    MemorySegment data = Arena.ofAuto().allocate(Math.max(1, weights.elements()));
    for (long i = 0; i < weights.elements(); i++) {
      double number = ElementBits.read(weights, i).asDouble();
      if (number != (byte) number) {
        return Optional.empty();
      }
      data.set(ValueLayout.JAVA_BYTE, i, (byte) number);
    }
    return Optional.of(
        new Tensor(ElementType.I8, weights.shape(), data.asSlice(0, weights.elements())));
  }

  private static ByteWeights withTotals(Tensor bytes, Op product) {
    long[] shape = bytes.shape();
    int kept = keptAxis(product);
    int results = (int) shape[kept];
    long each = bytes.elements() / results;
    MemorySegment totals = Arena.ofAuto().allocate((long) results * Integer.BYTES, Integer.BYTES);
    for (int result = 0; result < results; result++) {
      int total = 0;
      for (long i = 0; i < each; i++) {
        long at = kept == 0 ? result * each + i : i * results + result;
        total += bytes.data().get(ValueLayout.JAVA_BYTE, at);
      }
      totals.setAtIndex(ValueLayout.JAVA_INT, result, total);
    }
    return new ByteWeights(
        bytes, new Tensor(ElementType.I32, alongResult(product, results), totals));
  }

  /* Of columns, `[N]`, or of channels, `[M, 1, …]`. */
  private static long[] alongResult(Op product, long results) {
    List<Long> shape = new ArrayList<>(List.of(results));
    if (product instanceof Op.Conv conv) {
      conv.window().kernel().forEach(_ -> shape.add(1L));
    }
    return shape.stream().mapToLong(Long::longValue).toArray();
  }
}
