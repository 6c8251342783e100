package io.miniinference.bench.models;

import module java.base;

import io.miniinference.bench.measure.SizeRange;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;

/// Shapes of requests to a model with open dimensions.
///
/// @param ranges by symbol, the batch under [ModelBench#BATCH]
record OpenShapes(Signature signature, Map<String, SizeRange> ranges) {
  private static final SizeRange ROWS = new SizeRange(1, 4, 1);
  private static final long SEED = 20_261_123;

  /// Shapes may be fewer than asked for: this many are tried for each.
  private static final int TRIES = 20;

  /// In the middle of all ranges.
  RequestShape middle() {
    return shape(SizeRange::middle);
  }

  /// Shapes of which none is another, nor the one in the middle; always the same.
  List<RequestShape> random(int count) {
    var random = new Random(SEED);
    return Stream.generate(() -> shape(range -> range.random(random)))
        .limit((long) TRIES * count)
        .filter(shape -> !shape.equals(middle()))
        .distinct()
        .limit(count)
        .toList();
  }

  /// As of a text that is generated: each size by its step larger than before, from the smallest
  /// on, as far as its range goes, of as few rows as there are.
  List<RequestShape> inOrder(int count) {
    return LongStream.range(0, count)
        .mapToObj(steps -> shape(range -> range.after(steps), range -> range.after(0)))
        .distinct()
        .toList();
  }

  private RequestShape shape(ToLongFunction<SizeRange> size) {
    return shape(size, size);
  }

  private RequestShape shape(ToLongFunction<SizeRange> size, ToLongFunction<SizeRange> rows) {
    Map<String, Long> sizes = new HashMap<>();
    for (String symbol : signature.symbols()) {
      sizes.put(symbol, size.applyAsLong(ranges.getOrDefault(symbol, SizeRange.USUAL)));
    }
    SizeRange batches = ranges.getOrDefault(ModelBench.BATCH, ROWS);
    return new RequestShape(signature.hasBatch() ? rows.applyAsLong(batches) : 1, sizes);
  }

  /// The largest batch of a shape.
  static int mostRows(Map<String, SizeRange> ranges) {
    return Math.toIntExact(ranges.getOrDefault(ModelBench.BATCH, ROWS).to());
  }
}
