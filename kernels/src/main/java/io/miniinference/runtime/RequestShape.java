package io.miniinference.runtime;

import java.util.Map;

/// The sizes that a request gives to the dimensions of a [Signature].
///
/// @param batch its rows, 1 for a model without a batch dimension
/// @param sizes of the open dimensions by symbol
public record RequestShape(long batch, Map<String, Long> sizes) {
  public RequestShape {
    sizes = Map.copyOf(sizes);
  }
}
