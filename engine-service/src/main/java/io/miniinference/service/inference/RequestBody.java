package io.miniinference.service.inference;

import io.miniinference.service.admission.ByteBudget;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// A request's body in memory, whatever its Content-Type says.
///
/// @param bytes at least `length` of them
record RequestBody(byte[] bytes, int length) {
  private static final int FIRST_BYTES = 16 << 10;

  /// Reads a body, taking its bytes out of the budget before they are held.
  ///
  /// @throws BodyTooLargeException if it is longer than `maxBytes`
  /// @throws io.miniinference.service.admission.OverloadedException if the budget is spent
  static RequestBody read(HttpServletRequest request, ByteBudget.Share share, int maxBytes)
      throws IOException {
    long declared = request.getContentLengthLong();
    if (declared > maxBytes) {
      throw new BodyTooLargeException(maxBytes);
    }
    int first = declared >= 0 ? (int) declared : Math.min(FIRST_BYTES, maxBytes);
    share.take(first);
    return fill(request.getInputStream(), new byte[first], share, maxBytes);
  }

  private static RequestBody fill(
      InputStream in, byte[] start, ByteBudget.Share share, int maxBytes) throws IOException {
    byte[] bytes = start;
    int length = in.readNBytes(bytes, 0, bytes.length);
    int next = in.read();
    while (next >= 0) {
      if (length == maxBytes) {
        throw new BodyTooLargeException(maxBytes);
      }
      int larger = (int) Math.min(maxBytes, Math.max(FIRST_BYTES, 2L * bytes.length));
      share.take(larger - bytes.length);
      bytes = Arrays.copyOf(bytes, larger);
      bytes[length++] = (byte) next;
      length += in.readNBytes(bytes, length, bytes.length - length);
      next = in.read();
    }
    return new RequestBody(bytes, length);
  }
}
