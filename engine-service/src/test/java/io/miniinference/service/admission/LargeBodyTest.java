package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Large bodies, of which fewer than there are processors have a turn at once: who stops within one
/// keeps no other from its turn, and those that are refused are read to their end in turns, too.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "engine.pool.capacity=1MB",
      "engine.http.max-body-size=1MB",
      "engine.http.body-timeout=10m",
      "server.tomcat.connection-timeout=10m"
    })
@Import(HeapEngineConfiguration.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LargeBodyTest {
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final String LARGE = GOOD + " ".repeat(1_000_000);
  private static final int TOO_LARGE_BYTES = 2 << 20;

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("same-u8/1")::toString);
  }

  @Test
  void whoStopsWithinALargeBodyKeepsNoOtherFromItsTurn() throws IOException {
    try (var stopped = new Stopped()) {
      for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
        stopped.send(LARGE.length(), LARGE.length() / 2);
      }

      for (int i = 0; i < 20; i++) {
        assertThat(new Client(port).infer("same-u8", LARGE).status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whoStopsWithinABodyThatWasRefusedKeepsNoOtherFromItsTurn() throws IOException {
    try (var stopped = new Stopped()) {
      for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
        Socket socket = stopped.send(TOO_LARGE_BYTES, TOO_LARGE_BYTES / 2);
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .isEqualTo("HTTP/1.1 413");
      }

      assertThat(new Client(port).infer("same-u8", LARGE).status()).isEqualTo(200);
    }
  }

  /// Clients that have sent parts of bodies.
  private final class Stopped implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();

    Socket send(int declared, int sent) throws IOException {
      var socket = new Socket("localhost", port);
      sockets.add(socket);
      String head =
          "POST /v2/models/same-u8/infer HTTP/1.1\r\nHost: h\r\nContent-Length: "
              + declared
              + "\r\n\r\n";
      socket.getOutputStream().write((head + " ".repeat(sent)).getBytes(StandardCharsets.US_ASCII));
      return socket;
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
