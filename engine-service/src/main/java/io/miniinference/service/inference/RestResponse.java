package io.miniinference.service.inference;

import io.miniinference.service.serving.BinaryOutput;
import io.miniinference.service.serving.InferResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/// A response as bytes: JSON, and behind it the outputs that are wanted as binary data.
///
/// @param bytes the whole body
/// @param jsonLength bytes of JSON at its beginning
record RestResponse(ByteArrayOutputStream bytes, int jsonLength) {
  /// Shorter answers are not worth compressing.
  private static final int LEAST_TO_COMPRESS = 1 << 10;

  private static final int NO_BINARY = -1;

  /// @param binary one per output
  static RestResponse of(InferResponse response, List<Boolean> binary) {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < binary.size(); i++) {
      if (binary.get(i)) {
        parts.add(BinaryOutput.bytes(response.outputs().get(i)));
      }
    }
    ByteArrayOutputStream bytes = InferResponseWriter.write(response, binary, parts);
    int jsonLength = bytes.size();
    parts.forEach(bytes::writeBytes);
    return new RestResponse(bytes, parts.isEmpty() ? NO_BINARY : jsonLength);
  }

  /// A response that is all JSON.
  static RestResponse ofJson(ByteArrayOutputStream bytes) {
    return new RestResponse(bytes, NO_BINARY);
  }

  /// Sends it, compressed if the client likes that and it is worth it.
  void send(HttpServletResponse response, Encoding wanted) throws IOException {
    Encoding encoding = bytes.size() < LEAST_TO_COMPRESS ? Encoding.IDENTITY : wanted;
    ByteArrayOutputStream body = encoding.encoded(bytes);
    if (jsonLength == NO_BINARY) {
      response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    } else {
      response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
      response.setHeader(BinaryHeader.NAME, Integer.toString(jsonLength));
    }
    if (encoding != Encoding.IDENTITY) {
      response.setHeader(HttpHeaders.CONTENT_ENCODING, encoding.header());
    }
    response.setContentLength(body.size());
    body.writeTo(response.getOutputStream());
  }
}
