package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/// Reads the bodies of inference requests, whatever their Content-Type says. Memory is taken for
/// bytes that have come, not for those that a header promises.
@Component
final class BodyReader {
  private static final int FIRST_BYTES = 8 << 10;

  /// After so many bytes others may run: a virtual thread keeps its processor until it waits.
  private static final int PIECE_BYTES = 256 << 10;

  private final int maxBytes;
  private final TimedStream.Pace pace;

  BodyReader(EngineProperties properties) {
    EngineProperties.Http http = properties.http();
    maxBytes = Math.toIntExact(http.maxBodySize().toBytes());
    pace = new TimedStream.Pace(http.bodyTimeout(), http.bodyMinRate().toBytes());
  }

  /// Reads a body, taking its bytes out of the budget before they are held.
  ///
  /// @throws ServingException if it is too long, too slow or in an unknown coding
  /// @throws io.miniinference.service.admission.OverloadedException if the budget is spent
  RequestBody read(HttpServletRequest request, ByteBudget.Share share) throws IOException {
    try {
      return readInTime(request, share);
    } catch (IOException e) {
      if (e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException) {
        throw new ServingException(
            ErrorKind.TOO_SLOW,
            "the request's body stopped before its end (server.tomcat.connection-timeout)");
      }
      throw e;
    }
  }

  private RequestBody readInTime(HttpServletRequest request, ByteBudget.Share share)
      throws IOException {
    Encoding encoding = Encoding.ofContent(request.getHeader(HttpHeaders.CONTENT_ENCODING));
    long declared = request.getContentLengthLong();
    if (declared > maxBytes) {
      throw tooLarge();
    }
    share.expect(Math.max(0, declared));
    InputStream timed = new TimedStream(request.getInputStream(), pace);
    long expected = encoding == Encoding.IDENTITY && declared >= 0 ? declared : maxBytes;
    Bytes bytes = decoded(encoding, timed, share, (int) expected);
    if (bytes.length == 0) {
      throw new InvalidRequestException("the request's body is empty: it has to bring the inputs");
    }
    return RequestBody.of(bytes.array, bytes.length, BinaryHeader.of(request));
  }

  private record Bytes(byte[] array, int length) {}

  private Bytes decoded(Encoding encoding, InputStream timed, ByteBudget.Share share, int expected)
      throws IOException {
    if (encoding == Encoding.IDENTITY) {
      return read(timed, share, expected);
    }
    try (InputStream plain = encoding.plain(timed)) {
      return read(plain, share, expected);
    } catch (ZipException | EOFException e) {
      throw new InvalidRequestException(
          "the request's body is not " + encoding.header() + ": " + e.getMessage());
    }
  }

  private Bytes read(InputStream in, ByteBudget.Share share, int expected) throws IOException {
    int first = in.read();
    if (first < 0) {
      return new Bytes(new byte[0], 0);
    }
    int room = Math.clamp(expected, 1, FIRST_BYTES);
    share.take(room);
    byte[] bytes = new byte[room];
    bytes[0] = (byte) first;
    int length = 1 + in.readNBytes(bytes, 1, room - 1);
    while (length == room && room < expected) {
      int larger = (int) Math.min(expected, 2L * room);
      share.take(larger - room);
      bytes = Arrays.copyOf(bytes, larger);
      room = larger;
      length += readPieces(in, bytes, length);
    }
    if (length == maxBytes && in.read() >= 0) {
      throw tooLarge();
    }
    return new Bytes(bytes, length);
  }

  /* Fills the array from a place on; returns how many bytes there were. */
  private static int readPieces(InputStream in, byte[] bytes, int from) throws IOException {
    int at = from;
    int read;
    do {
      read = in.readNBytes(bytes, at, Math.min(bytes.length - at, PIECE_BYTES));
      at += read;
      Thread.yield();
    } while (read == PIECE_BYTES && at < bytes.length);
    return at - from;
  }

  private ServingException tooLarge() {
    return new ServingException(
        ErrorKind.TOO_LARGE,
        "the request's body is longer than " + maxBytes + " bytes (engine.http.max-body-size)");
  }
}
