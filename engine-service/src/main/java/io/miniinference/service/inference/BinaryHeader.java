package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The header that says how many bytes of a body are JSON; binary data follow them.
final class BinaryHeader {
  static final String NAME = "Inference-Header-Content-Length";

  private BinaryHeader() {}

  /// The header of a request, null if there is none.
  ///
  /// @throws InvalidRequestException if there are several that differ: what stands between the
  ///   client and the service may have gone by another one
  static @Nullable String of(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(NAME)).stream().distinct().toList();
    if (values.size() > 1) {
      throw new InvalidRequestException(NAME + " comes more than once, with different lengths");
    }
    return values.isEmpty() ? null : values.getFirst();
  }

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
