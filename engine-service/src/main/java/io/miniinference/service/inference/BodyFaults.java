package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.coyote.BadRequestException;

/// Why a body could not be read to its end, where that is its client's doing.
final class BodyFaults {
  private BodyFaults() {}

  /// Reads a body.
  interface Reading<T> {
    T read() throws IOException;
  }

  /// What the reading gives.
  ///
  /// @throws ServingException if the body stopped before its end
  /// @throws InvalidRequestException if HTTP cannot read it, such as a chunk that is none
  static <T> T told(Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (IOException e) {
      if (e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException) {
        throw new ServingException(
            ErrorKind.TOO_SLOW,
            "the request's body stopped before its end (server.tomcat.connection-timeout)");
      }
      if (e instanceof BadRequestException bad) {
        throw new InvalidRequestException(
            "the request's body is not as HTTP has it: " + reason(bad));
      }
      throw e;
    }
  }

  /* Another exception would be shown by its class. */
  private static String reason(BadRequestException error) {
    if (error.getCause() == null) {
      return String.valueOf(error.getMessage());
    }
    return error.getCause() instanceof EOFException
        ? "it ends too early"
        : "what follows is no part of it";
  }
}
