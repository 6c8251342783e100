package io.miniinference.bench.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.miniinference.bench.measure.BenchException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoadTest {
  private static final long SHORT = 50;
  private static final long FOR_SEVERAL_ANSWERS = 1_000;
  private static final byte[] POST =
      "POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
          .getBytes(StandardCharsets.US_ASCII);

  private static Load load(HttpServer server) {
    return new Load("m", server.getAddress().getPort(), 1, () -> new HttpExchange(() -> POST));
  }

  @Test
  void everyAnswerIsCountedAndTheLastIsKept() throws Exception {
    var asked = new AtomicInteger();
    HttpServer server = server(200, "{\"outputs\":[{\"data\":[1.5,2]}]}", asked);
    try {
      Load.Seen seen = load(server).run(3, FOR_SEVERAL_ANSWERS);
      assertThat(Protocol.JSON.numbers(seen.body(), 2)).containsExactly(1.5f, 2f);
      assertThat(asked.get()).isGreaterThan(3).isEqualTo(seen.micros().length);
      assertThat(seen.rate()).isPositive();
      assertThat(seen.micros(0.5)).isBetween(1d, seen.micros(0.99));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aRefusalIsAnErrorAndNoFastAnswer() throws Exception {
    HttpServer server = server(503, "full", new AtomicInteger());
    try {
      assertThatThrownBy(() -> load(server).run(1, SHORT))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("503")
          .hasMessageContaining("full");
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer server(int status, String answer, AtomicInteger asked)
      throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/v2/models/m/infer",
        exchange -> {
          asked.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void anAnswerLargerThanTheRoomForItIsReadInParts() throws Exception {
    String large = "x".repeat(1 << 20);
    HttpServer server = server(200, large, new AtomicInteger());
    try {
      byte[] body = load(server).run(1, SHORT).body();
      assertThat(new String(body, StandardCharsets.US_ASCII)).isEqualTo(large);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void anAnswerIsTakenOnceAllOfItHasCome() {
    byte[] answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\ncontent-length:  2\r\n\r\n{}next"
            .getBytes(StandardCharsets.US_ASCII);
    int length = answer.length - "next".length();
    ByteBuffer in = ByteBuffer.wrap(answer);
    var exchange = new HttpExchange(() -> POST);
    var none = new ByteArrayOutputStream();
    for (int end = 0; end < length; end++) {
      assertThat(exchange.take(in.limit(end), none)).isEmpty();
    }
    assertThat(exchange.take(in.limit(answer.length), none)).contains(new byte[] {'{', '}'});
    assertThat(in.position()).isEqualTo(length);
  }

  @Test
  void aConnectionThatTheServiceClosesIsAnError() throws Exception {
    try (var service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var load = new Load("m", service.getLocalPort(), 1, () -> new HttpExchange(() -> POST));
      Thread.startVirtualThread(() -> accept(service));
      assertThatThrownBy(() -> load.run(1, SHORT))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("closed a connection");
    }
  }

  /* Takes a request and hangs up. */
  private static void accept(ServerSocket service) {
    try (Socket socket = service.accept()) {
      socket.getInputStream().readNBytes(POST.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCallIsAnsweredWhenItsTrailersHaveCome() {
    byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    byte[] headers = {0, 0, 1, 1, 4, 0, 0, 0, 1, 9};
    byte[] data = {0, 0, 6, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 7};
    byte[] trailers = {0, 0, 1, 1, 5, 0, 0, 0, 1, 9};
    ByteBuffer in = ByteBuffer.wrap(Protocol.joined(settings, headers, data, trailers));
    var call = new GrpcExchange(new byte[] {1, 2, 3});
    var replies = new ByteArrayOutputStream();

    assertThat(call.next()).startsWith("PRI * HTTP/2.0".getBytes(StandardCharsets.US_ASCII));
    for (int end = 1; end < in.capacity(); end++) {
      assertThat(call.take(in.limit(end), replies)).isEmpty();
    }
    assertThat(call.take(in.limit(in.capacity()), replies)).contains(new byte[] {0, 0, 0, 0, 1, 7});
    assertThat(replies.toByteArray()).containsExactly(0, 0, 0, 4, 1, 0, 0, 0, 0);
  }

  @Test
  void aCallWithoutAMessageHasFailed() {
    ByteBuffer trailers = ByteBuffer.wrap(new byte[] {0, 0, 1, 1, 5, 0, 0, 0, 1, 9});
    var call = new GrpcExchange(new byte[0]);
    call.next();
    assertThatThrownBy(() -> call.take(trailers, new ByteArrayOutputStream()))
        .isInstanceOf(BenchException.class);
  }
}
