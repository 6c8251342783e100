package io.miniinference.service.tensors;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The bytes of a string in JSON: a text, or `{"b64": "…"}` for any bytes, as requests have them.
final class JsonStringBytes {
  private static final String BASE64 = "b64";

  private JsonStringBytes() {}

  /// Nothing if the value is neither.
  static Optional<byte[]> of(JsonNode value) {
    if (value.isString()) {
      return Optional.of(value.stringValue().getBytes(StandardCharsets.UTF_8));
    }
    JsonNode encoded = value.path(BASE64);
    return value.size() == 1 && encoded.isString()
        ? decoded(encoded.stringValue())
        : Optional.empty();
  }

  private static Optional<byte[]> decoded(String text) {
    try {
      return Optional.of(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
