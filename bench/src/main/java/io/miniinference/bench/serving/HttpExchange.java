package io.miniinference.bench.serving;

import module java.base;

import io.miniinference.bench.measure.BenchException;

/// HTTP/1.1, answers with a Content-Length.
///
/// @param requests gives the next one
record HttpExchange(Supplier<byte[]> requests) implements Exchange {
  private static final String LENGTH = "\r\ncontent-length:";
  private static final String END = "\r\n\r\n";

  /// The head of an answer is shorter, and no more of it is looked at for where it ends.
  private static final int MOST_HEAD = 1 << 12;

  @Override
  public byte[] next() {
    return requests.get();
  }

  @Override
  public Optional<byte[]> take(ByteBuffer in, ByteArrayOutputStream replies) {
    ByteBuffer begin = in.slice(in.position(), Math.min(in.remaining(), MOST_HEAD));
    String head = StandardCharsets.ISO_8859_1.decode(begin).toString();
    int end = head.indexOf(END) + END.length();
    if (end < END.length()) {
      return Optional.empty();
    }
    int length = length(head.substring(0, end));
    if (in.remaining() < end + length) {
      return Optional.empty();
    }
    byte[] body = new byte[length];
    in.position(in.position() + end).get(body);
    if (!head.startsWith("HTTP/1.1 200")) {
      throw new BenchException(
          head.lines().findFirst().orElseThrow()
              + " "
              + new String(body, StandardCharsets.ISO_8859_1));
    }
    return Optional.of(body);
  }

  private static int length(String head) {
    int from = head.toLowerCase(Locale.ROOT).indexOf(LENGTH) + LENGTH.length();
    if (from < LENGTH.length()) {
      throw new BenchException("an answer without Content-Length: " + head);
    }
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
  }
}
