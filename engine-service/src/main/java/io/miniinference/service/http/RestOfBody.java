package io.miniinference.service.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/// Reads what is left of a large body whose request was answered before, so that the connection can
/// be used again. Tomcat would read it in one go, and a virtual thread that always finds bytes
/// never lets another one run; this one does after each piece.
final class RestOfBody implements ApplicationBufferHandler {
  private static final long LARGE_BYTES = 1 << 20;
  private static final int PIECE_BYTES = 256 << 10;

  private @Nullable ByteBuffer buffer;

  private RestOfBody() {}

  /// @param mostBytes beyond which the connection is closed instead, by Tomcat
  static void read(Request request, long mostBytes) {
    if (request.hasExpectation() && request.getBytesRead() == 0) {
      return; // it may never come: the client was not told to continue, and Tomcat closes
    }
    long left = length(request) - request.getBytesRead();
    if (left > LARGE_BYTES && (mostBytes < 0 || left <= mostBytes)) {
      try {
        new RestOfBody().readPieces(request);
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

  private void readPieces(Request request) throws IOException {
    int piece = 0;
    for (int read = request.doRead(this); read >= 0; read = request.doRead(this)) {
      piece += read;
      if (piece >= PIECE_BYTES) {
        piece = 0;
        Thread.yield();
      }
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
