package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.miniinference.bench.suite.BenchException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// HTTP/1.1, answers with a Content-Length.
final class HttpExchange implements Exchange {
  private static final String LENGTH = "\ncontent-length:";

  private final Supplier<byte[]> requests;
  private byte[] body = new byte[0];

  HttpExchange(byte[] request) {
    this(() -> request);
  }

  /// @param requests gives the next one
  HttpExchange(Supplier<byte[]> requests) {
    this.requests = requests;
  }

  @Override
  public byte[] opening() {
    return new byte[0];
  }

  @Override
  public ByteBuffer next() {
    return ByteBuffer.wrap(requests.get());
  }

  @Override
  public boolean take(ByteBuffer in, Consumer<byte[]> reply) {
    int end = headEnd(in);
    if (end < 0) {
      return false;
    }
    int start = in.position();
    String head = new String(in.array(), in.arrayOffset() + start, end - start, ISO_8859_1);
    int length = length(head);
    if (in.limit() - end < length) {
      return false;
    }
    body = new byte[length];
    in.position(end).get(body);
    check(head);
    return true;
  }

  private static int headEnd(ByteBuffer in) {
    for (int at = in.position() + 3; at < in.limit(); at++) {
      if (in.get(at) == '\n' && in.get(at - 2) == '\n') {
        return at + 1;
      }
    }
    return -1;
  }

  private static int length(String head) {
    int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      throw new BenchException("an answer without Content-Length: " + head);
    }
    int from = at + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
  }

  private void check(String head) {
    if (!head.startsWith("HTTP/1.1 200")) {
      throw new BenchException(head.lines().findFirst().orElse("") + new String(body, ISO_8859_1));
    }
  }

  @Override
  public byte[] body() {
    return body;
  }
}
