package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;

/// The tensors behind the JSON of a body, one after the other in the order in which inputs name
/// them.
final class BinaryPart {
  private final RequestBody body;
  private int at;

  BinaryPart(RequestBody body) {
    this.body = body;
    this.at = body.jsonLength();
  }

  /// The next tensor.
  ///
  /// @param bytes as the input declares it
  /// @param needed what its shape takes
  MemorySegment take(String input, long bytes, long needed) {
    if (bytes != needed) {
      throw new InvalidRequestException(
          "input '%s' declares binary_data_size %d, but its shape takes %d bytes"
              .formatted(input, bytes, needed));
    }
    return take(input, bytes);
  }

  /// The next tensor, of which only the data tell whether they fit its shape.
  ///
  /// @param bytes as the input declares it
  MemorySegment take(String input, long bytes) {
    if (bytes > body.length() - at) {
      throw new InvalidRequestException(
          "input '%s' needs %d bytes of binary data, and %d are left in the body behind its JSON"
                  .formatted(input, bytes, body.length() - at)
              + "; the header Inference-Header-Content-Length says how many bytes that has");
    }
    MemorySegment data = MemorySegment.ofArray(body.bytes()).asSlice(at, bytes);
    at += (int) bytes;
    return data;
  }

  /// All that there is.
  MemorySegment rest() {
    return MemorySegment.ofArray(body.bytes()).asSlice(at, body.length() - at);
  }

  /// @throws InvalidRequestException if something was not taken
  void checkEnd() {
    if (at < body.length()) {
      throw new InvalidRequestException(
          "%d bytes follow the request that belong to no input".formatted(body.length() - at));
    }
  }
}
