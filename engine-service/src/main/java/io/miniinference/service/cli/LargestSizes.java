package io.miniinference.service.cli;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.RequestShape;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// A model in the largest sizes of its open dimensions of which a pool holds a batch of one: all
/// alike, and a power of two, since nothing tells what requests will ask for. Where the pool holds
/// none, the smallest that the model takes.
///
/// @param sizes by symbol
/// @param model planned for them
/// @param why these sizes, as the end of a sentence; empty where there are no others than a batch
///   that was asked for
/// @param kernels that the first request builds for all sizes; 0 where a device builds none, or the
///   sizes alone do not tell
record LargestSizes(Map<String, Long> sizes, PreparedModel model, String why, int kernels)
    implements PlannedSizes {
  private static final long MOST = 1 << 16;

  /// Kernels are the same for all sizes, and quicker to write for those that are not large.
  private static final long MIDDLE = 64;

  /// Empty if no size is left open by name, or the model takes none that was tried. Of a model
  /// whose rows are not apart, as where each is multiplied by each other, the batch is one of the
  /// sizes.
  ///
  /// @param open the model with its sizes left open
  /// @param options that leave them open
  /// @param batch the size of the batch, where it is one of the sizes
  static Optional<LargestSizes> find(
      Engine engine,
      PreparedModel open,
      OnnxModel read,
      LoadOptions options,
      long poolBytes,
      long batch) {
    try (Model opened = open.load(open.largestBatch())) { // takes no memory
      Set<String> symbols = opened.signature().symbols();
      LongFunction<Map<String, Long>> others = size -> all(symbols, size);
      Optional<LargestSizes> largest =
          symbols.isEmpty() ? Optional.empty() : find(engine, read, options, others, poolBytes);
      return largest
          .or(() ->
              DeclaredTypes.of(read, options.dimensions())
                  .batch()
                  .flatMap(symbol ->
                      find(engine, read, options, with(others, symbol, batch), poolBytes)))
          .map(it -> it.withKernelsOf(opened));
    }
  }

  private static LongFunction<Map<String, Long>> with(
      LongFunction<Map<String, Long>> others, String symbol, long size) {
    return other -> {
      Map<String, Long> all = others.apply(other);
      all.put(symbol, size);
      return all;
    };
  }

  private static Optional<LargestSizes> find(
      Engine engine,
      OnnxModel read,
      LoadOptions options,
      LongFunction<Map<String, Long>> sizes,
      long poolBytes) {
    if (sizes.apply(1).equals(sizes.apply(2))) {
      return Attempt.of(engine, read, options, sizes.apply(1)).sizes("");
    }
    Optional<LargestSizes> largest = Optional.empty();
    for (long size = 1; size <= MOST; size *= 2) {
      Attempt next = Attempt.of(engine, read, options, sizes.apply(size));
      if (next.fits(poolBytes)) {
        largest = next.sizes(", the largest power of two that fits; nothing larger was tried");
      } else if (largest.isPresent()) {
        return largest.map(it -> it.with(next));
      } else if (next.planned().isPresent()) { // smaller ones were too small for the model
        return next.sizes(", the smallest power of two that it takes");
      }
    }
    return largest;
  }

  /// Some sizes, and the model in them where it takes them.
  private record Attempt(Map<String, Long> tried, Optional<PreparedModel> model) {
    static Attempt of(Engine engine, OnnxModel read, LoadOptions options, Map<String, Long> sizes) {
      try {
        return new Attempt(sizes, Optional.of(engine.prepare(read, with(options, sizes))));
      } catch (ModelException e) {
        return new Attempt(sizes, Optional.empty());
      }
    }

    boolean fits(long poolBytes) {
      return planned().filter(it -> it.bytes(1) <= poolBytes).isPresent();
    }

    Optional<LargestSizes> sizes(String why) {
      return planned().map(it -> new LargestSizes(tried, it, why, 0));
    }

    private Optional<PreparedModel> planned() {
      return model.filter(it -> !it.isSizedByRequests());
    }

    String problem() {
      return planned()
          .map(it ->
              String.format(
                  Locale.ROOT, "%s would take %,d", RequestShape.text(tried), it.bytes(1)))
          .orElseGet(() -> "the model does not take " + RequestShape.text(tried));
    }
  }

  private LargestSizes with(Attempt beyond) {
    String text = ", the largest power of two that fits; " + beyond.problem();
    return new LargestSizes(sizes, model, text, 0);
  }

  private LargestSizes withKernelsOf(Model open) {
    Map<String, Long> middle = new TreeMap<>(sizes);
    middle.replaceAll((_, size) -> Math.min(MIDDLE, size));
    return new LargestSizes(sizes, model, why, kernels(open, middle));
  }

  private static int kernels(Model open, Map<String, Long> sizes) {
    try {
      return open.kernelsOfAllShapes(sizes);
    } catch (InvalidRequestException e) {
      return 0; // what follows from values is not known here
    }
  }

  private static Map<String, Long> all(Set<String> symbols, long size) {
    return new TreeMap<>(symbols.stream().collect(Collectors.toMap(it -> it, _ -> size)));
  }

  private static LoadOptions with(LoadOptions options, Map<String, Long> sizes) {
    Map<String, Long> both = new TreeMap<>(options.dimensions());
    both.putAll(sizes);
    return options.withDimensions(both);
  }

  @Override
  public String text() {
    return String.format(
        Locale.ROOT,
        "open sizes: planned for %s%s (--dim NAME=VALUE plans others)%s%n",
        RequestShape.text(sizes),
        why,
        kernels == 0 ? "" : "; the first request builds " + kernels + " kernels for all sizes");
  }

  @Override
  public String jsonFields() {
    return "\"dimensions\":%s,\"kernelsOfAllShapes\":%d"
        .formatted(JsonMapper.builder().build().writeValueAsString(sizes), kernels);
  }
}
