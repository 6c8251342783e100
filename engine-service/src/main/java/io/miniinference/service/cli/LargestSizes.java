package io.miniinference.service.cli;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// A model in the largest sizes of its open dimensions of which a pool holds a batch of one: all
/// alike, and a power of two, since nothing tells what requests will ask for.
///
/// @param sizes by symbol
/// @param model planned for them
/// @param beyond why not twice the sizes
record LargestSizes(Map<String, Long> sizes, PreparedModel model, String beyond) {
  private static final long MOST = 1 << 16;

  /// Empty if no size is left open by name, or none can be planned within the pool.
  ///
  /// @param open the model with its sizes left open
  /// @param options that leave them open
  static Optional<LargestSizes> find(
      Engine engine, PreparedModel open, OnnxModel read, LoadOptions options, long poolBytes) {
    Set<String> symbols = symbols(open);
    Optional<LargestSizes> largest = Optional.empty();
    for (long size = 1; size <= MOST && !symbols.isEmpty(); size *= 2) {
      Attempt next = Attempt.of(engine, read, options, all(symbols, size));
      if (next.fits(poolBytes)) {
        largest = next.sizes();
      } else if (largest.isPresent()) { // smaller ones may have been too small for the model
        return largest.map(it -> new LargestSizes(it.sizes, it.model, next.problem()));
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
      return model.filter(it -> !it.isSizedByRequests() && it.bytes(1) <= poolBytes).isPresent();
    }

    Optional<LargestSizes> sizes() {
      return model.map(it -> new LargestSizes(tried, it, "nothing larger was tried"));
    }

    String problem() {
      return model
          .map(it -> String.format(Locale.ROOT, "%s would take %,d", text(tried), it.bytes(1)))
          .orElseGet(() -> "the model does not take " + text(tried));
    }
  }

  private static Set<String> symbols(PreparedModel open) {
    try (Model model = open.load(open.largestBatch())) { // takes no memory
      return model.signature().symbols();
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

  private static String text(Map<String, Long> sizes) {
    return sizes.entrySet().stream()
        .map(it -> it.getKey() + "=" + it.getValue())
        .collect(Collectors.joining(", "));
  }

  /// A line behind the plan.
  String text() {
    return String.format(
        Locale.ROOT,
        "open sizes: planned for %s, the largest power of two that fits; %s (--dim NAME=VALUE plans others)%n",
        text(sizes),
        beyond);
  }

  /// For scripts.
  String jsonFields() {
    return "\"dimensions\":" + JsonMapper.builder().build().writeValueAsString(sizes);
  }
}
