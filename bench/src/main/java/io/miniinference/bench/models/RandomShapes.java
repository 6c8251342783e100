package io.miniinference.bench.models;

import module java.base;

import io.miniinference.bench.measure.SizeRange;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;

/// Shapes of requests to a model with open dimensions.
///
/// @param ranges by symbol, the batch under [ModelBench#BATCH]
record RandomShapes(Signature signature, Map<String, SizeRange> ranges) {
  private static final SizeRange ROWS = new SizeRange(1, 4, 1);
  private static final long SEED = 20_261_123;

  /// Shapes may be fewer than asked for: this many are tried for each.
  private static final int TRIES = 20;

  /// In the middle of all ranges.
  RequestShape middle() {
    return shape(SizeRange::middle);
  }

  /// Shapes of which none is another, nor the one in the middle; always the same.
  List<RequestShape> of(int count) {
    var random = new Random(SEED);
    return Stream.generate(() -> shape(range -> range.random(random)))
        .limit((long) TRIES * count)
        .filter(shape -> !shape.equals(middle()))
        .distinct()
        .limit(count)
        .toList();
  }

  private RequestShape shape(ToLongFunction<SizeRange> size) {
    Map<String, Long> sizes = new HashMap<>();
    for (String symbol : signature.symbols()) {
      sizes.put(symbol, size.applyAsLong(ranges.getOrDefault(symbol, SizeRange.USUAL)));
    }
    SizeRange rows = ranges.getOrDefault(ModelBench.BATCH, ROWS);
    return new RequestShape(signature.hasBatch() ? size.applyAsLong(rows) : 1, sizes);
  }

  /// The largest batch of a shape.
  static int mostRows(Map<String, SizeRange> ranges) {
    return Math.toIntExact(ranges.getOrDefault(ModelBench.BATCH, ROWS).to());
  }
}
