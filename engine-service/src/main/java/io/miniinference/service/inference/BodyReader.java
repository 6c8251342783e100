package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.admission.BodyBuffers;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.http.ClientConnection;
import io.miniinference.service.http.LargeBodies;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.RequestSource;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/// Reads the bodies of inference requests, whatever their Content-Type says. Memory is taken for
/// bytes that have come, not for those that a header promises.
@Component
final class BodyReader {
  private static final int FIRST_BYTES = 8 << 10;

  private final int maxBytes;
  private final PacedStream.Pace pace;
  private final BodyBuffers buffers;

  BodyReader(EngineProperties properties) {
    maxBytes = Math.toIntExact(properties.http().maxBodySize().toBytes());
    buffers = new BodyBuffers(2L * maxBytes); // those of one body while it grows
    pace = PacedStream.Pace.of(properties);
  }

  /// Reads a body and what is in it, taking its bytes out of the budget before they are held.
  ///
  /// @param parser what reads the body once it is there; for a large body that is a part of its
  ///   turn
  /// @throws ServingException if it is too long, too slow or in an unknown coding
  /// @throws io.miniinference.service.admission.OverloadedException if the budget is spent
  <T> T read(HttpServletRequest request, RequestSource.Holds holds, Function<RequestBody, T> parser)
      throws IOException {
    try (LargeBodies.Turn turn = LargeBodies.turn(ClientConnection.of(request));
        BodyBuffers.Body memory = buffers.open()) {
      var room = new Room(holds, turn, memory);
      RequestBody body = BodyFaults.told(() -> readInTime(request, room));
      T parsed = parser.apply(body);
      if (body.jsonLength() < body.length()) {
        memory.leave(); // binary data stay where they are
      }
      return parsed;
    }
  }

  private RequestBody readInTime(HttpServletRequest request, Room room) throws IOException {
    Encoding encoding = Encoding.ofContent(request);
    long declared = request.getContentLengthLong();
    if (declared > maxBytes) {
      throw tooLarge();
    }
    room.holds.share().expect(Math.max(0, declared));
    InputStream timed =
        new TimedStream(request.getInputStream(), pace, room.turn, room.holds.reading());
    long expected = encoding == Encoding.IDENTITY && declared >= 0 ? declared : maxBytes;
    Bytes bytes = encoding.read(timed, plain -> read(plain, room, (int) expected));
    if (bytes.length == 0) {
      throw new InvalidRequestException("the request's body is empty: it has to bring the inputs");
    }
    return RequestBody.of(bytes.array, bytes.length, BinaryHeader.of(request));
  }

  private record Bytes(byte[] array, int length) {}

  /// What a body may take.
  private record Room(RequestSource.Holds holds, LargeBodies.Turn turn, BodyBuffers.Body memory) {}

  private Bytes read(InputStream in, Room room, int expected) throws IOException {
    int first = in.read();
    if (first < 0) {
      return new Bytes(new byte[0], 0);
    }
    room.holds.reading().begin();
    ByteBudget.Share share = room.holds.share();
    int size = Math.clamp(expected, 1, FIRST_BYTES);
    share.take(size);
    byte[] bytes = room.memory.grow(size);
    bytes[0] = (byte) first;
    int length = 1 + in.readNBytes(bytes, 1, size - 1);
    while (length == size && size < expected) {
      int larger = (int) Math.min(expected, 2L * size);
      share.take(larger - size);
      if (larger > LargeBodies.SMALL_BYTES) {
        room.turn.take(); // a large array takes as long as many small requests
      }
      bytes = room.memory.grow(larger);
      size = larger;
      length += readPieces(in, new Piece(bytes, length, size), room.turn);
    }
    if (length == maxBytes && in.read() >= 0) {
      throw tooLarge();
    }
    return new Bytes(bytes, length);
  }

  /// Where bytes are to go.
  private record Piece(byte[] bytes, int from, int to) {}

  /* Returns how many bytes there were. */
  private static int readPieces(InputStream in, Piece all, LargeBodies.Turn turn)
      throws IOException {
    int at = all.from;
    int piece;
    int read;
    do {
      if (at >= LargeBodies.SMALL_BYTES) {
        turn.take();
      }
      piece = Math.min(all.to - at, LargeBodies.SMALL_BYTES);
      read = in.readNBytes(all.bytes, at, piece);
      at += read;
    } while (read == piece && at < all.to);
    return at - all.from;
  }

  private ServingException tooLarge() {
    return new ServingException(
        ErrorKind.TOO_LARGE,
        "the request's body is longer than " + maxBytes + " bytes (engine.http.max-body-size)");
  }
}
