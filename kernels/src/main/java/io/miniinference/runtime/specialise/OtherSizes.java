package io.miniinference.runtime.specialise;

import io.miniinference.runtime.LoadOptions;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Sizes near those of a request: what a kernel has of them in its text shows in how the texts
/// differ. A model may not run all of them, so there are several to try, the likeliest first: those
/// that share most divisors with the request's, and larger ones before smaller ones.
///
/// @param inputs as the file declares them
/// @param loaded of the whole model, whose sizes are the same in all shapes
public record OtherSizes(List<TensorSpec> inputs, LoadOptions loaded) {
  private static final List<Long> SMALLEST = List.of(1L, 2L, 4L, 8L, 16L, 32L);

  /// Alternatives by range, the likeliest first: a model may want multiples, or no more than some.
  private static final List<List<Long>> RANGES =
      List.of(
          List.of(19L, 20L, 24L, 16L),
          List.of(29L, 28L, 40L, 32L),
          List.of(509L, 508L, 504L, 480L, 253L, 252L, 240L, 224L, 192L),
          List.of(389L, 388L, 392L, 384L, 197L, 196L, 200L, 160L));

  /// From symbol to symbol.
  private static final List<Long> STEPS = List.of(3L, 4L, 8L, 16L, 32L);

  /// What to compile for in place of `options`; none where no size can be another.
  Stream<LoadOptions> of(LoadOptions options) {
    Map<String, Long> sizes = open(options);
    return sizes.isEmpty()
        ? Stream.empty()
        : Stream.of(
                changed(sizes, i -> size -> size + 16 * (2 + i)),
                changed(sizes, i -> size -> size * (2 + i)),
                changed(sizes, i -> size -> Math.max(1, size / 2 + i)),
                changed(sizes, i -> size -> size + 1 + i),
                changed(sizes, i -> size -> Math.max(1, size - 1 - i)))
            .filter(other -> !other.equals(sizes))
            .map(other -> with(options, other));
  }

  /// Sizes at the edge of what is possible, where broadcasting may make another program of the
  /// model: one of them as small as can be, and all of them. Of each the smallest comes first, for
  /// the case that the model does not run it.
  List<Stream<LoadOptions>> smallest(LoadOptions options) {
    Map<String, Long> sizes = open(options);
    List<Stream<LoadOptions>> edges = new ArrayList<>();
    for (String symbol : sizes.keySet()) {
      edges.add(smallest(options, sizes, symbol::equals));
    }
    if (sizes.size() > 1) {
      edges.add(smallest(options, sizes, _ -> true));
    }
    return edges;
  }

  /// Sizes of all ranges that a choice may tell apart, two of each, since what differs between them
  /// is no constant: each symbol small, and all of them small or large. Symbols of one shape
  /// differ, so that none is taken for another.
  List<Stream<LoadOptions>> ranges(LoadOptions options) {
    Map<String, Long> sizes = open(options);
    List<Stream<LoadOptions>> ranges = new ArrayList<>();
    for (List<Long> range : sizes.isEmpty() ? List.<List<Long>>of() : RANGES) {
      ranges.add(within(sizes, range, _ -> true).map(changed -> with(options, changed)));
    }
    for (String symbol : sizes.size() > 1 ? sizes.keySet() : Set.<String>of()) {
      RANGES.forEach(range ->
          ranges.add(within(sizes, range, symbol::equals).map(changed -> with(options, changed))));
      ranges.add(smallestAmongSmall(options, sizes, symbol));
    }
    return ranges;
  }

  /* One as small as can be, which may make another program of the model, and the others small. */
  private Stream<LoadOptions> smallestAmongSmall(
      LoadOptions options, Map<String, Long> sizes, String smallest) {
    return within(sizes, RANGES.getFirst(), symbol -> !symbol.equals(smallest))
        .flatMap(others -> smallest(options, others, smallest::equals));
  }

  private static Stream<Map<String, Long>> within(
      Map<String, Long> sizes, List<Long> range, Predicate<String> isMeant) {
    return range.stream()
        .flatMap(size -> STEPS.stream().map(step -> apart(sizes, size, step, isMeant)))
        .distinct();
  }

  private static Map<String, Long> apart(
      Map<String, Long> sizes, long size, long step, Predicate<String> isMeant) {
    Map<String, Long> changed = new TreeMap<>();
    sizes.forEach((symbol, own) ->
        changed.put(symbol, isMeant.test(symbol) ? size + step * changed.size() : own));
    return changed;
  }

  private Stream<LoadOptions> smallest(
      LoadOptions options, Map<String, Long> sizes, Predicate<String> isSmall) {
    return SMALLEST.stream()
        .map(small -> {
          Map<String, Long> changed = new TreeMap<>(sizes);
          changed.replaceAll((symbol, size) -> isSmall.test(symbol) ? small : size);
          return with(options, changed);
        });
  }

  private Map<String, Long> open(LoadOptions options) {
    Map<String, Long> sizes = new TreeMap<>(options.dimensions());
    sizes.keySet().removeAll(loaded.dimensions().keySet());
    for (TensorSpec input : inputs) {
      long[] shape = options.inputShapes().get(input.name());
      for (int axis = 0; shape != null && axis < input.dims().size(); axis++) {
        open(input.dims().get(axis), shape, axis, sizes);
      }
    }
    return sizes;
  }

  private static void open(Dimension dim, long[] shape, int axis, Map<String, Long> sizes) {
    if (axis < shape.length) {
      switch (dim) {
        case Dimension.Open open -> sizes.put(open.symbol(), shape[axis]);
        case Dimension.Batch batch -> sizes.put("", shape[axis] / batch.factor());
        case Dimension.Fixed _, Dimension.Rest _ -> {}
      }
    }
  }

  private interface Change {
    LongUnaryOperator of(int place);
  }

  /* Symbols are told apart by what is done to them. */
  private static Map<String, Long> changed(Map<String, Long> sizes, Change change) {
    Map<String, Long> changed = new TreeMap<>();
    sizes.forEach(
        (symbol, size) -> changed.put(symbol, change.of(changed.size()).applyAsLong(size)));
    return changed;
  }

  private LoadOptions with(LoadOptions options, Map<String, Long> sizes) {
    Map<String, Long> dimensions = new HashMap<>(options.dimensions());
    dimensions.replaceAll((symbol, size) -> sizes.getOrDefault(symbol, size));
    Map<String, long[]> shapes = new HashMap<>(options.inputShapes());
    for (TensorSpec input : inputs) {
      shapes.computeIfPresent(input.name(), (_, shape) -> shape(input, shape, sizes));
    }
    return options.fixed(options.maxBatch(), dimensions, shapes, options.inputValues());
  }

  private static long[] shape(TensorSpec input, long[] shape, Map<String, Long> sizes) {
    List<Long> changed = new ArrayList<>();
    for (int axis = 0; axis < shape.length; axis++) {
      Dimension dim =
          axis < input.dims().size() ? input.dims().get(axis) : new Dimension.Fixed(shape[axis]);
      changed.add(
          switch (dim) {
            case Dimension.Open open -> sizes.getOrDefault(open.symbol(), shape[axis]);
            case Dimension.Batch batch -> batch.factor() * sizes.getOrDefault("", shape[axis]);
            case Dimension.Fixed _, Dimension.Rest _ -> shape[axis];
          });
    }
    return changed.stream().mapToLong(Long::longValue).toArray();
  }
}
