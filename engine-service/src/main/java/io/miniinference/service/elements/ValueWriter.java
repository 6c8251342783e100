package io.miniinference.service.elements;

import io.miniinference.service.json.JsonWriter;

/// Writes the elements of a tensor as JSON values.
public interface ValueWriter {

  /// Writes the element at a position.
  void write(JsonWriter json, long position);
}
