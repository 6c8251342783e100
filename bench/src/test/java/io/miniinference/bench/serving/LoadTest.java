package io.miniinference.bench.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.miniinference.bench.suite.BenchException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoadTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration FOR_SEVERAL_ANSWERS = Duration.ofSeconds(1);

  @Test
  void everyAnswerIsCountedAndTheLastIsKept() throws Exception {
    var asked = new AtomicInteger();
    HttpServer server = server(200, "{\"outputs\":[{\"data\":[1.5,2]}]}", asked);
    try {
      Load.Seen seen =
          Load.run(
              server.getAddress().getPort(), Protocol.JSON.exchanges("m"), 3, FOR_SEVERAL_ANSWERS);
      assertThat(Protocol.JSON.scores(seen.body())).containsExactly(1.5f, 2f);
      assertThat(asked.get()).isGreaterThan(3);
      assertThat(seen.rate()).isPositive();
      assertThat(seen.median()).isBetween(1d, seen.tail());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aRefusalIsAnErrorAndNoFastAnswer() throws Exception {
    HttpServer server = server(503, "full", new AtomicInteger());
    int port = server.getAddress().getPort();
    try {
      assertThatThrownBy(() -> Load.run(port, Protocol.JSON.exchanges("m"), 1, SHORT))
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
  void aCallIsAnsweredWhenItsTrailersHaveCome() {
    var call = new GrpcExchange(new byte[] {1, 2, 3});
    call.next();
    List<byte[]> replies = new ArrayList<>();
    byte[] frames = {
      0,
      0,
      0,
      4,
      0,
      0,
      0,
      0,
      0, // settings
      0,
      0,
      1,
      1,
      4,
      0,
      0,
      0,
      1,
      9, // headers
      0,
      0,
      6,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      7, // data: one byte, 7
      0,
      0,
      1,
      1,
      5,
      0,
      0,
      0,
      1,
      9 // trailers
    };
    ByteBuffer in = ByteBuffer.wrap(frames);
    for (int end = 1; end < frames.length; end++) {
      assertThat(call.take(in.limit(end), replies::add)).isFalse();
    }
    assertThat(call.take(in.limit(frames.length), replies::add)).isTrue();
    assertThat(call.body()).containsExactly(0, 0, 0, 0, 1, 7);
    assertThat(replies).singleElement().isEqualTo(new byte[] {0, 0, 0, 4, 1, 0, 0, 0, 0});
  }

  @Test
  void aCallWithoutAMessageHasFailed() {
    var call = new GrpcExchange(new byte[0]);
    call.next();
    ByteBuffer trailers = ByteBuffer.wrap(new byte[] {0, 0, 1, 1, 5, 0, 0, 0, 1, 9});
    assertThatThrownBy(() -> call.take(trailers, _ -> {})).isInstanceOf(BenchException.class);
  }
}
