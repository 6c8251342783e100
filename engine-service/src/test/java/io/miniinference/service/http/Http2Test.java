package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service with Spring's property for HTTP/2 answers over it as over HTTP/1.1. Java's client asks
/// by HTTP/1.1 whether the connection may go over to HTTP/2, and goes on with that.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "server.http2.enabled=true",
      "engine.pool.capacity=1MB",
      "engine.http.max-body-size=64KB",
    })
@Import(HeapEngineConfiguration.class)
final class Http2Test {
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("same-u8/1")::toString);
  }

  @Test
  void goodRequestsAndRefusedOnesHaveTheirStatusesOverOneConnection() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(infer(client, "same-u8", GOOD).body()).contains("\"data\":[1,2]");
      assertThat(infer(client, "same-u8", "{"))
          .satisfies(bad -> assertThat(bad.statusCode()).isEqualTo(400))
          .satisfies(bad -> assertThat(bad.body()).startsWith("{\"error\":\"malformed JSON"));
      assertThat(infer(client, "nobody", GOOD).statusCode()).isEqualTo(404);
      assertThat(infer(client, "same-u8", " ".repeat(100_000)).statusCode()).isEqualTo(413);
      assertThat(infer(client, "same-u8", GOOD).body()).contains("\"data\":[1,2]");
    }
  }

  private HttpResponse<String> infer(HttpClient client, String model, String body)
      throws Exception {
    var uri = URI.create("http://localhost:" + port + "/v2/models/" + model + "/infer");
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofString());
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    return answer;
  }
}
