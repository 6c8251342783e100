package io.miniinference.service.doubles;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Bodies of bytes: JSON with tensors behind it.
public final class Bytes {
  public static final String HEADER = "Inference-Header-Content-Length";

  private Bytes() {}

  /// JSON and what follows it.
  public static byte[] of(String json, byte[]... tensors) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(json.getBytes(StandardCharsets.UTF_8));
    for (byte[] tensor : tensors) {
      all.writeBytes(tensor);
    }
    return all.toByteArray();
  }

  public static byte[] floats(float... values) {
    return little(values.length * 4, buffer -> buffer.asFloatBuffer().put(values));
  }

  public static byte[] longs(long... values) {
    return little(values.length * 8, buffer -> buffer.asLongBuffer().put(values));
  }

  private static byte[] little(int bytes, Consumer<ByteBuffer> filler) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    filler.accept(buffer);
    return buffer.array();
  }

  /// Posts bytes with headers.
  public static HttpResponse<byte[]> post(int port, String path, byte[] body, String... headers) {
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          request.POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /// The JSON at the beginning of an answer.
  public static String json(HttpResponse<byte[]> answer) {
    int length =
        answer.headers().firstValue(HEADER).map(Integer::parseInt).orElse(answer.body().length);
    return new String(answer.body(), 0, length, StandardCharsets.UTF_8);
  }

  /// What follows the JSON of an answer, little-endian.
  public static ByteBuffer rest(HttpResponse<byte[]> answer) {
    int json = Integer.parseInt(answer.headers().firstValue(HEADER).orElseThrow());
    return ByteBuffer.wrap(answer.body(), json, answer.body().length - json)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
