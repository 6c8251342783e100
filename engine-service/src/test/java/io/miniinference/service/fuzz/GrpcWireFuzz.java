package io.miniinference.service.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Whole connections of HTTP/2 on the port of gRPC: frames, headers, messages.
public final class GrpcWireFuzz extends ServiceFuzz {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int SETTINGS = 4;
  private static final int HEADERS = 1;
  private static final int DATA = 0;
  private static final int PING = 6;
  private static final int LAST = 1;
  private static final int WHOLE_HEADERS = 4;

  @Override
  public List<byte[]> seeds() {
    return List.of(
        connection("/inference.GRPCInferenceService/ServerLive", new byte[0]),
        connection("/inference.GRPCInferenceService/ModelMetadata", new byte[] {10, 1, 'x'}),
        connection("/grpc.health.v1.Health/Check", new byte[0]),
        connection("/inference.GRPCInferenceService/ModelStreamInfer", new byte[] {10, 1, 'x'}));
  }

  private static byte[] connection(String path, byte[] message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    out.writeBytes(frame(HEADERS, WHOLE_HEADERS, 1, headers(path)));
    byte[] data =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    out.writeBytes(frame(DATA, LAST, 1, data));
    out.writeBytes(frame(PING, 0, 0, new byte[8]));
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] content) {
    return ByteBuffer.allocate(9 + content.length)
        .put((byte) (content.length >> 16))
        .putShort((short) content.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(content)
        .array();
  }

  /* Literals that are not indexed (RFC 7541, 6.2.2). */
  private static byte[] headers(String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] all = {
      ":method",
      "POST",
      ":scheme",
      "http",
      ":path",
      path,
      ":authority",
      "x",
      "content-type",
      "application/grpc",
      "te",
      "trailers"
    };
    for (int i = 0; i < all.length; i += 2) {
      out.write(0);
      text(out, all[i]);
      text(out, all[i + 1]);
    }
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.write(text.length());
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    try (Socket socket = new Socket("localhost", SERVICE.grpcPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(input);
      socket.shutdownOutput();
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      checkText(answer.replaceAll("[^\\x20-\\x7e]", "\n"), input);
      return false;
    } catch (SocketException e) {
      checkText("", input);
      return false;
    }
  }
}
