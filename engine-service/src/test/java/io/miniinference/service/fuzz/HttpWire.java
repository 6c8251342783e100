package io.miniinference.service.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A connection to the service that sends any bytes as a body, and reads answers as they come. It
/// is opened anew when the service has closed it.
final class HttpWire {
  private static final int PATIENCE_MILLIS = 15_000;

  private final int port;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  HttpWire(int port) {
    this.port = port;
  }

  record Answer(int status, String body) {}

  /// Posts a body.
  ///
  /// @param headers lines that end in CR LF
  Answer post(String path, String headers, byte[] body) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(
        ("POST " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "Content-Length: " + body.length)
            .getBytes(StandardCharsets.ISO_8859_1));
    message.writeBytes("\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    message.writeBytes(body);
    return exchange(message.toByteArray());
  }

  private Answer exchange(byte[] message) throws IOException {
    boolean reused = socket != null;
    try {
      return attempt(message);
    } catch (IOException e) {
      close();
      if (!reused) {
        throw e;
      }
      return attempt(message);
    }
  }

  private Answer attempt(byte[] message) throws IOException {
    if (socket == null) {
      socket = new Socket("localhost", port);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    }
    OutputStream out = socket.getOutputStream();
    out.write(message);
    out.flush();
    return read(java.util.Objects.requireNonNull(in));
  }

  private Answer read(InputStream from) throws IOException {
    int status = Integer.parseInt(line(from).split(" ", 3)[1]);
    int length = 0;
    boolean chunked = false;
    boolean last = false;
    for (String line = line(from); !line.isEmpty(); line = line(from)) {
      String header = line.toLowerCase(Locale.ROOT);
      length =
          header.startsWith("content-length:")
              ? Integer.parseInt(header.substring(15).strip())
              : length;
      chunked |= header.startsWith("transfer-encoding:");
      last |= header.equals("connection: close");
    }
    byte[] body = chunked ? chunks(from) : from.readNBytes(length);
    if (last) {
      close();
    }
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private static byte[] chunks(InputStream from) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size = size(from); size > 0; size = size(from)) {
      all.writeBytes(from.readNBytes(size));
      line(from);
    }
    line(from);
    return all.toByteArray();
  }

  private static int size(InputStream from) throws IOException {
    return Integer.parseInt(line(from), 16);
  }

  private static String line(InputStream from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = from.read(); c != '\n'; c = from.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended within a line: " + line);
      }
      line.append(c == '\r' ? "" : String.valueOf((char) c));
    }
    return line.toString();
  }

  private void close() throws IOException {
    if (socket != null) {
      socket.close();
    }
    socket = null;
  }
}
