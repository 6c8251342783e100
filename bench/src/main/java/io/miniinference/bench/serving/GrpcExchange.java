package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.miniinference.bench.suite.BenchException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Unary calls of gRPC over HTTP/2 without TLS (RFC 9113), as much of it as one call at a time on a
/// connection needs: headers go out as literals (RFC 7541, 6.2.2), and of those that come only the
/// end of the stream is looked at, since a call that fails has no message.
final class GrpcExchange implements Exchange {
  private static final int FRAME_HEAD = 9;
  private static final int MESSAGE_HEAD = 5;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int ACKNOWLEDGED = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final byte[] FIELDS = fields();

  private final byte[] data;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private byte[] answer = new byte[0];
  private int stream = -1;

  GrpcExchange(byte[] message) {
    ByteBuffer framed = ByteBuffer.allocate(MESSAGE_HEAD + message.length);
    data = framed.put((byte) 0).putInt(message.length).put(message).array();
  }

  /* :method POST, :scheme http, :path, :authority, content-type, te */
  private static byte[] fields() {
    byte[] path = "/inference.GRPCInferenceService/ModelInfer".getBytes(US_ASCII);
    return Protocol.joined(
        new byte[] {(byte) 0x83, (byte) 0x86, 0x04, (byte) path.length},
        path,
        literal(new byte[] {0x01}, "localhost"),
        literal(new byte[] {0x0F, 0x10}, "application/grpc"),
        literal(new byte[] {0x00, 2, 't', 'e'}, "trailers"));
  }

  private static byte[] literal(byte[] name, String value) {
    return Protocol.joined(name, new byte[] {(byte) value.length()}, value.getBytes(US_ASCII));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] content) {
    ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD + content.length);
    frame.putShort((short) (content.length >> 8)).put((byte) content.length);
    return frame.put((byte) type).put((byte) flags).putInt(stream).put(content).array();
  }

  /* A window that all answers of a run fit into. */
  @Override
  public byte[] opening() {
    return Protocol.joined(
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
        frame(SETTINGS, 0, 0, new byte[0]),
        frame(WINDOW_UPDATE, 0, 0, new byte[] {0x7F, 0, 0, 0}));
  }

  @Override
  public ByteBuffer next() {
    stream += 2;
    body.reset();
    return ByteBuffer.wrap(
        Protocol.joined(
            frame(HEADERS, END_HEADERS, stream, FIELDS), frame(DATA, END_STREAM, stream, data)));
  }

  @Override
  public boolean take(ByteBuffer in, Consumer<byte[]> reply) {
    boolean ended = false;
    while (in.remaining() >= FRAME_HEAD) {
      in.mark();
      int length = (in.getShort() & 0xFFFF) << 8 | in.get() & 0xFF;
      int type = in.get();
      int flags = in.get();
      in.getInt();
      if (in.remaining() < length) {
        in.reset();
        return ended;
      }
      byte[] content = new byte[length];
      in.get(content);
      ended |= frame(type, flags, content, reply);
    }
    return ended;
  }

  private boolean frame(int type, int flags, byte[] content, Consumer<byte[]> reply) {
    switch (type) {
      case DATA -> body.writeBytes(content);
      case SETTINGS, PING -> {
        if ((flags & ACKNOWLEDGED) == 0) {
          reply.accept(frame(type, ACKNOWLEDGED, 0, type == PING ? content : new byte[0]));
        }
      }
      case RESET, GO_AWAY -> throw new BenchException("the service ended a call or its connection");
      default -> {}
    }
    return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0 && isAnswered();
  }

  private boolean isAnswered() {
    if (body.size() <= MESSAGE_HEAD) {
      throw new BenchException("a call over gRPC failed");
    }
    answer = body.toByteArray();
    return true;
  }

  @Override
  public byte[] body() {
    return answer;
  }
}
