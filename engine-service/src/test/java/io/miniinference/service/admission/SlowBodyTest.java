package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Clients that promise bodies and do not send them, or slowly: they hold neither memory nor turns,
/// and are ended.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "engine.pool.capacity=1MB",
      "engine.queue.max-requests=1",
      "engine.queue.max-bytes=64KB",
      "engine.http.max-body-size=32KB",
      "engine.http.body-timeout=1s",
      "server.tomcat.connection-timeout=2s",
    })
@Import(HeapEngineConfiguration.class)
final class SlowBodyTest {
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final int SLOW_CLIENTS = 6;
  private static final int PACE_MILLIS = 50;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final long CONNECTION_TIMEOUT_NANOS = 2_000_000_000L;

  @LocalServerPort private int port;
  @Autowired private GrpcServerLifecycle grpc;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("same-u8/1")::toString);
  }

  @Test
  void whatIsPromisedAndNotSentHoldsNothing() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW_CLIENTS; i++) {
        silent.add(open(i % 2 == 0 ? "" : "{"));
      }

      for (int i = 0; i < 20; i++) {
        assertThat(new Client(port).infer("same-u8", GOOD).status()).isEqualTo(200);
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v2/models/same-u8/infer", "/v2/repository/index"})
  void aBodyThatDripsIsEnded(String path) throws IOException {
    try (Socket socket = open(path, "{")) {
      socket.setSoTimeout(PACE_MILLIS);
      assertThat(drip(socket)).contains(" 408 ", "engine.http.body-timeout");
    }
  }

  /// At the timeout, and not at a second one for the rest.
  @ParameterizedTest
  @ValueSource(strings = {"/v2/models/same-u8/infer", "/v2/repository/index"})
  void aBodyThatStopsIsEnded(String path) throws IOException {
    try (Socket socket = open(path, "{")) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      InputStream in = socket.getInputStream();
      int first = in.read();
      long answered = System.nanoTime();
      String text = (char) first + new String(in.readAllBytes(), StandardCharsets.UTF_8);

      assertThat(System.nanoTime() - answered).isLessThan(CONNECTION_TIMEOUT_NANOS);
      assertThat(text)
          .contains(" 408 ", "stopped before its end (server.tomcat.connection-timeout)\"}");
    }
  }

  @Test
  void aMessageOfACallThatStopsIsEnded() throws IOException {
    try (var socket = new Socket("localhost", grpc.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(beginningOfACall());
      var seen = new StringBuilder();
      byte[] some = new byte[1024];
      while (seen.indexOf("engine.http.body-timeout") < 0) {
        int count = socket.getInputStream().read(some);
        assertThat(count).as("the connection ended: %s", seen).isPositive();
        seen.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
      }
    }
  }

  /* HTTP/2: the preface, settings, the headers of a call, and five bytes of a message of a hundred. */
  private static byte[] beginningOfACall() throws IOException {
    String path = "/inference.GRPCInferenceService/ModelInfer";
    var headers = new ByteArrayOutputStream();
    headers.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 0x04, (byte) path.length()});
    headers.writeBytes(path.getBytes(StandardCharsets.US_ASCII));
    headers.writeBytes(new byte[] {0x01, 1, 'h', 0x0F, 0x10, 16});
    headers.writeBytes("application/grpc".getBytes(StandardCharsets.US_ASCII));
    headers.writeBytes(new byte[] {0x00, 2, 't', 'e', 8});
    headers.writeBytes("trailers".getBytes(StandardCharsets.US_ASCII));
    var all = new ByteArrayOutputStream();
    all.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    all.writeBytes(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
    all.writeBytes(new byte[] {0, 0, (byte) headers.size(), 1, 4, 0, 0, 0, 1});
    headers.writeTo(all);
    all.writeBytes(new byte[] {0, 0, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 100, 1, 2, 3, 4, 5});
    return all.toByteArray();
  }

  private Socket open(String begin) throws IOException {
    return open("/v2/models/same-u8/infer", begin);
  }

  private Socket open(String path, String begin) throws IOException {
    var socket = new Socket("localhost", port);
    write(socket, "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 32000\r\n\r\n" + begin);
    return socket;
  }

  /* A space whenever there is no answer yet. */
  private static String drip(Socket socket) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (System.nanoTime() < deadline) {
      try {
        return text(socket);
      } catch (SocketTimeoutException e) {
        write(socket, " ");
      }
    }
    throw new AssertionError("a body that drips was not ended");
  }

  private static String text(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    int first = in.read();
    socket.setSoTimeout(PATIENCE_MILLIS);
    return (char) first + new String(in.readNBytes(400), StandardCharsets.UTF_8);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }
}
