package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import module java.base;

import io.miniinference.bench.measure.BenchException;

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

  private static byte[] frame(int type, int flags, int stream, byte... content) {
    ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD + content.length);
    frame.putInt(content.length << 8 | type).put((byte) flags).putInt(stream);
    return frame.put(content).array();
  }

  /* A connection begins with a window that all answers of a run fit into. */
  private static byte[] opening() {
    return Protocol.joined(
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
        frame(SETTINGS, 0, 0),
        frame(WINDOW_UPDATE, 0, 0, (byte) 0x7F, (byte) 0, (byte) 0, (byte) 0));
  }

  @Override
  public byte[] next() {
    byte[] before = stream < 0 ? opening() : new byte[0];
    stream += 2;
    body.reset();
    byte[] headers = frame(HEADERS, END_HEADERS, stream, FIELDS);
    return Protocol.joined(before, headers, frame(DATA, END_STREAM, stream, data));
  }

  @Override
  public Optional<byte[]> take(ByteBuffer in, ByteArrayOutputStream replies) {
    boolean isEnd = false;
    while (in.remaining() >= FRAME_HEAD) {
      int head = in.getInt(in.position());
      int flags = in.get(in.position() + Integer.BYTES);
      int length = head >>> 8;
      if (in.remaining() < FRAME_HEAD + length) {
        break;
      }
      byte[] content = new byte[length];
      in.position(in.position() + FRAME_HEAD).get(content);
      isEnd |= isEnd(head & 0xFF, flags, content, replies);
    }
    return isEnd ? Optional.of(answer()) : Optional.empty();
  }

  /* Takes a frame; whether the answer ends with it. */
  private boolean isEnd(int type, int flags, byte[] content, ByteArrayOutputStream replies) {
    switch (type) {
      case DATA -> body.writeBytes(content);
      case SETTINGS, PING -> {
        if ((flags & ACKNOWLEDGED) == 0) {
          replies.writeBytes(frame(type, ACKNOWLEDGED, 0, type == PING ? content : new byte[0]));
        }
      }
      case RESET, GO_AWAY -> throw new BenchException("the service ended a call or its connection");
      default -> {}
    }
    return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
  }

  private byte[] answer() {
    if (body.size() <= MESSAGE_HEAD) {
      throw new BenchException("a call over gRPC failed");
    }
    return body.toByteArray();
  }
}
