package io.miniinference.service.inference;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/// The reader and writer of JSON on the wire, with hostile input in mind.
///
/// `NaN` and its kin are read as numbers, so that the message can say where they stand; they are
/// refused all the same.
final class V2Json {
  /// Deepest nesting of arrays and objects; the depth that Triton allows too.
  private static final int MAX_DEPTH = 100;

  private static final int MAX_NUMBER_LENGTH = 100;
  private static final int MAX_STRING_LENGTH = 1 << 20;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .maxStringLength(MAX_STRING_LENGTH)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private V2Json() {}
}
