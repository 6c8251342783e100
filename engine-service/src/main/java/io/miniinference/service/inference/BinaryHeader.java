package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;

/// The header that says how many bytes of a body are JSON; binary data follow them.
final class BinaryHeader {
  static final String NAME = "Inference-Header-Content-Length";

  private BinaryHeader() {}

  /// The length that a header gives.
  ///
  /// @param most the length of the body
  static int parse(String value, int most) {
    try {
      int length = Integer.parseInt(value.strip());
      if (length >= 0 && length <= most) {
        return length;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new InvalidRequestException(
        "%s is '%s', which is no length of JSON in a body of %d bytes"
            .formatted(NAME, value.length() > 40 ? value.substring(0, 40) + "…" : value, most));
  }
}
