package io.miniinference.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Immutable copies of maps that keep their order, so that all that follows is deterministic.
final class Ordered {
  private Ordered() {}

  static <K, V> Map<K, V> copy(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
