package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Actuator on a port of its own refuses as the service does.
final class ManagementServerTest {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
  private static final int PATIENCE_MILLIS = 30_000;

  private static ConfigurableApplicationContext start() {
    var application =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class);
    return application.run(
        "--server.port=0",
        "--management.server.port=0",
        "--spring.grpc.server.port=0",
        "--engine.pool.capacity=1MB",
        "--engine.models.repository=" + Repositories.of("adder/1"));
  }

  private static int port(ConfigurableApplicationContext context) {
    return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.management.port"));
  }

  @Test
  void anAddressThatCannotBeReadIsRefusedWithoutAPageOrAStackTrace() throws IOException {
    try (var context = start()) {
      int port = port(context);

      assertThat(answer(port, "/actuator/health;a=%41")).startsWith("HTTP/1.1 200");
      for (String address :
          List.of("/actuator;%A/health", "/actuator/%A", "/actuator/none;%zz", "/;%")) {
        assertThat(answer(port, address))
            .as(address)
            .startsWith("HTTP/1.1 400")
            .contains("{\"error\":\"a % of the address has no two hexadecimal digits behind it")
            .doesNotContain("<html", "io.miniinference", "springframework");
      }
      assertThat(answer(port, "/actuator/%00"))
          .startsWith("HTTP/1.1 400")
          .contains("{\"error\":\"the address's path has an encoded slash, backslash or zero byte");
    }
  }

  @Test
  void aConnectionGoesOnAfterARefusalAndALongHeadIsToldSo() throws IOException {
    try (var context = start();
        Socket socket = new Socket("localhost", port(context))) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String requests =
          "GET /actuator/health;%zz HTTP/1.1\r\nHost: h\r\n\r\n"
              + "GET /actuator/health HTTP/1.1\r\nHost: engine_1:9000\r\n\r\n"
              + "GET /actuator/health HTTP/1.1\r\nHost: h\r\nX: "
              + "a".repeat(10_000)
              + "\r\n\r\n";
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

      assertThat(STATUS.matcher(all).results().map(found -> found.group(1)))
          .containsExactly("400", "200", "431");
      assertThat(all).contains("(server.max-http-request-header-size)");
    }
  }

  @Test
  void whatIsRefusedIsToldAsTheServiceTellsItAndKeepsTheConnection() throws IOException {
    try (var context = start();
        Socket socket = new Socket("localhost", port(context))) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String get = "GET %s HTTP/1.1\r\nHost: h\r\n\r\n";
      String requests =
          get.formatted("/error")
              + get.formatted("/nothing")
              + "DELETE /actuator/health HTTP/1.1\r\nHost: h\r\n\r\n"
              + get.formatted("/actuator/plans/adder?batch=x")
              + get.formatted("/actuator/plans/adder?format=png")
              + "GET /actuator/plans HTTP/1.1\r\nHost: h\r\nAccept: text/html\r\n\r\n"
              + get.formatted("/actuator/plans/nobody")
              + "GET /actuator/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

      assertThat(STATUS.matcher(all).results().map(found -> found.group(1)))
          .containsExactly("404", "404", "405", "400", "400", "406", "404", "200");
      assertThat(all)
          .contains(
              "{\"error\":\"there is nothing at /error\"}",
              "{\"error\":\"there is nothing at /nothing\"}",
              "Allow: GET",
              "{\"error\":\"parameter 'batch' is 'x', which is no Integer\"}",
              "{\"error\":\"format 'png' is none of svg, text, json\"}",
              "{\"error\":\"Acceptable representations: [",
              "no model 'nobody' is loaded; there are plans of [adder]")
          .doesNotContain("timestamp");
    }
  }

  private static String answer(int port, String address) throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String request = "GET " + address + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
