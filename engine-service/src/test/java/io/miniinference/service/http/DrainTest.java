package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/// A service that ends while clients ask loses none of their requests.
final class DrainTest {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int CLIENTS = 8;
  private static final int REQUESTS_BEFORE = 50;
  private static final String BODY =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final byte[] REQUEST =
      "POST /v2/models/same-u8/infer HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s"
          .formatted(BODY.length(), BODY)
          .getBytes(StandardCharsets.US_ASCII);

  @Test
  void eachConnectionIsToldToCloseWithItsLastAnswerAndNoRequestIsLost() throws Exception {
    ConfigurableApplicationContext service = service("--engine.http.drain-time=20s");
    int port = port(service);
    var warm = new CountDownLatch(CLIENTS);
    List<Future<Integer>> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> askUntilRefused(port, warm)));
      }
      warm.await();
      service.close();

      for (Future<Integer> client : clients) {
        assertThat(client.get()).isGreaterThanOrEqualTo(REQUESTS_BEFORE);
      }
    }
  }

  @Test
  void anIdleConnectionDelaysTheEndNoLongerThanAllowed() throws Exception {
    ConfigurableApplicationContext service = service("--engine.http.drain-time=300ms");
    try (var idle = new Socket("localhost", port(service))) {
      idle.getOutputStream().write(REQUEST);
      assertThat(answer(new BufferedInputStream(idle.getInputStream()))).isFalse();
      long start = System.nanoTime();
      service.close();

      assertThat(System.nanoTime() - start).isBetween(300_000_000L, 20_000_000_000L);
    }
  }

  @Test
  void oneAddressHasNoMoreConnectionsThanAllowed() throws Exception {
    try (ConfigurableApplicationContext service =
            service("--engine.http.max-connections-per-address=1", "--engine.http.drain-time=0s");
        var first = new Socket("localhost", port(service))) {
      first.getOutputStream().write(REQUEST);
      assertThat(answer(new BufferedInputStream(first.getInputStream()))).isFalse();

      assertThat(isRefused(port(service))).isTrue();
      first.close();
      while (isRefused(port(service))) {
        Thread.onSpinWait(); // the server sees the end of the first a moment later
      }
    }
  }

  private static boolean isRefused(int port) {
    try (var second = new Socket("localhost", port)) {
      second.setSoTimeout(PATIENCE_MILLIS);
      second.getOutputStream().write(REQUEST);
      answer(new BufferedInputStream(second.getInputStream()));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static ConfigurableApplicationContext service(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("--server.port=0");
    all.add("--engine.pool.capacity=1MB");
    all.add("--engine.models.repository=" + Repositories.of("same-u8/1"));
    return new SpringApplicationBuilder(MiniInferenceEngine.class, HeapEngineConfiguration.class)
        .run(all.toArray(String[]::new));
  }

  private static int port(ConfigurableApplicationContext service) {
    return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  /* Returns the number of answers. A connection that ends without saying so before is a failure. */
  private static int askUntilRefused(int port, CountDownLatch warm) throws IOException {
    int answers = 0;
    while (true) {
      Optional<Socket> connected = connect(port);
      if (connected.isEmpty()) {
        return answers;
      }
      try (Socket socket = connected.get()) {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        var in = new BufferedInputStream(socket.getInputStream());
        boolean last = false;
        while (!last) {
          socket.getOutputStream().write(REQUEST);
          last = answer(in);
          if (++answers == REQUESTS_BEFORE) {
            warm.countDown();
          }
        }
      }
    }
  }

  /* Nothing where the port is closed. */
  private static Optional<Socket> connect(int port) throws IOException {
    try {
      return Optional.of(new Socket("localhost", port));
    } catch (ConnectException e) {
      return Optional.empty();
    }
  }

  /* Reads an answer; returns whether the connection is to be closed. */
  private static boolean answer(InputStream in) throws IOException {
    assertThat(line(in)).contains(" 200");
    int length = 0;
    boolean last = false;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String lower = line.toLowerCase(java.util.Locale.ROOT);
      last |= lower.equals("connection: close");
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    assertThat(in.readNBytes(length)).hasSize(length);
    return last;
  }

  private static String line(InputStream in) throws IOException {
    var text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the service closed the connection");
      }
      if (next != '\r') {
        text.append((char) next);
      }
    }
    return text.toString();
  }
}
