package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.miniinference.bench.measure.BenchException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.function.Supplier;

/// HTTP/1.1, answers with a Content-Length.
///
/// @param requests gives the next one
record HttpExchange(Supplier<byte[]> requests) implements Load.Exchange {
  private static final String LENGTH = "content-length:";

  @Override
  public byte[] ask(OutputStream out, DataInputStream in) throws IOException {
    out.write(requests.get());
    String status = line(in);
    int length = -1;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    if (length < 0) {
      throw new BenchException("an answer without Content-Length: " + status);
    }
    byte[] body = in.readNBytes(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new BenchException(status + " " + new String(body, ISO_8859_1));
    }
    return body;
  }

  private static String line(DataInputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the service closed a connection");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }
}
