package io.miniinference.bench.models;

import io.miniinference.bench.suite.SizeRange;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// Shapes of requests to a model with open dimensions.
///
/// @param ranges by symbol, the batch under [#BATCH]
record RandomShapes(Signature signature, Map<String, SizeRange> ranges) {
  /// What the range of the batch is called.
  static final String BATCH = "batch";

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
    Set<RequestShape> shapes = new LinkedHashSet<>(List.of(middle()));
    for (int i = 0; i < TRIES * count && shapes.size() <= count; i++) {
      shapes.add(shape(range -> range.random(random)));
    }
    return shapes.stream().skip(1).toList();
  }

  private RequestShape shape(ToLongFunction<SizeRange> size) {
    Map<String, Long> sizes = new TreeMap<>();
    for (String symbol : signature.symbols()) {
      sizes.put(symbol, size.applyAsLong(ranges.getOrDefault(symbol, SizeRange.USUAL)));
    }
    SizeRange rows = ranges.getOrDefault(BATCH, ROWS);
    return new RequestShape(signature.hasBatch() ? size.applyAsLong(rows) : 1, sizes);
  }

  /// The largest batch of a shape.
  static int mostRows(Map<String, SizeRange> ranges) {
    return Math.toIntExact(ranges.getOrDefault(BATCH, ROWS).to());
  }
}
