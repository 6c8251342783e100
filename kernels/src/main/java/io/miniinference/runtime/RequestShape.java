package io.miniinference.runtime;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The sizes that a request gives to the dimensions of a [Signature].
///
/// @param batch its rows, 1 for a model without a batch dimension
/// @param sizes of the open dimensions by symbol
public record RequestShape(long batch, Map<String, Long> sizes) {
  public RequestShape {
    sizes = Map.copyOf(sizes);
  }

  /// Sizes by symbol as options write them, `height=4, width=8`.
  public static String text(Map<String, Long> sizes) {
    return new TreeMap<>(sizes)
        .entrySet().stream()
            .map(size -> size.getKey() + "=" + size.getValue())
            .collect(Collectors.joining(", "));
  }
}
