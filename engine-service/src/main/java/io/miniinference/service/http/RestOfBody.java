package io.miniinference.service.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/// Reads what is left of a large body whose request was answered before, so that the connection can
/// be used again. Tomcat would read it in one go, and a virtual thread that always finds bytes
/// never lets another one run; here it takes the turn of a large body ([LargeBodies]).
final class RestOfBody implements ApplicationBufferHandler {
  private @Nullable ByteBuffer buffer;

  private RestOfBody() {}

  /// @param mostBytes beyond which the connection is closed instead, by Tomcat
  static void read(Request request, ClientConnection connection, long mostBytes) {
    if (request.hasExpectation() && request.getBytesRead() == 0) {
      return; // it may never come: the client was not told to continue, and Tomcat closes
    }
    long left = length(request) - request.getBytesRead();
    if (left > LargeBodies.SMALL_BYTES && (mostBytes < 0 || left <= mostBytes)) {
      try (LargeBodies.Turn turn = LargeBodies.turn(connection)) {
        new RestOfBody().readPieces(request, turn);
      } catch (IOException e) {
        // the client went away, which Tomcat sees next
      }
    }
  }

  /* Of one that says its length twice, nothing: Tomcat has refused it, and closes. */
  private static long length(Request request) {
    try {
      return request.getContentLengthLong();
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private void readPieces(Request request, LargeBodies.Turn turn) throws IOException {
    int piece = 0;
    for (int read = request.doRead(this); read >= 0; read = request.doRead(this)) {
      piece += read;
      if (piece >= LargeBodies.SMALL_BYTES) {
        piece = 0;
        turn.take();
      }
      turn.leaveToWait();
    }
  }

  @Override
  public void setByteBuffer(ByteBuffer read) {
    buffer = read;
  }

  @Override
  public @Nullable ByteBuffer getByteBuffer() {
    return buffer;
  }

  @Override
  public void expand(int size) {}
}
