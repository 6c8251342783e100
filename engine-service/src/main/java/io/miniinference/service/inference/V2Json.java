package io.miniinference.service.inference;

import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/// The writer of JSON on the wire.
final class V2Json {
  static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build();

  private V2Json() {}
}
