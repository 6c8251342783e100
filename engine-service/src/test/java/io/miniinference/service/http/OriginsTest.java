package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.HeapServiceTest;
import io.miniinference.service.doubles.Repositories;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// What browsers are told about pages of other origins.
final class OriginsTest {
  private static final String NAMED = "https://app.example.com";
  private static final String OTHER = "https://other.example.com";
  private static final String TOKEN = "Bearer of-the-test";
  private static final String INFER = "/v2/models/same-u8/infer";
  private static final String BODY =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  /* As a browser asks before a page's script sends numbers and a token. */
  private static Answer askFirst(int port, String origin, String method) throws Exception {
    HttpRequest question =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + INFER))
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", method)
            .header(
                "Access-Control-Request-Headers", "authorization,inference-header-content-length")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return new Answer(client.send(question, BodyHandlers.ofString()));
    }
  }

  @Nested
  @SpringBootTest(
      classes = MiniInferenceEngine.class,
      webEnvironment = WebEnvironment.RANDOM_PORT,
      properties = {
        "engine.pool.capacity=1MB",
        "engine.inference.token=of-the-test",
        "engine.http.allowed-origins=" + NAMED + ",http://localhost:3000",
      })
  @Import(HeapEngineConfiguration.class)
  final class Named {
    @LocalServerPort private int port;

    @DynamicPropertySource
    static void repository(DynamicPropertyRegistry registry) {
      registry.add("engine.models.repository", Repositories.of("same-u8/1")::toString);
    }

    @Test
    void aPageOfANamedOriginMayAskWithATokenAndReadWhatAnswersSay() throws Exception {
      Answer first = askFirst(port, NAMED, "POST");
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.header(ALLOWED)).isEqualTo(NAMED);
      assertThat(first.header("Access-Control-Allow-Methods")).contains("POST");
      assertThat(first.header("Access-Control-Allow-Headers"))
          .contains("authorization", "inference-header-content-length");

      Answer answer = new Client(port).post(INFER, BODY, "Origin", NAMED, "Authorization", TOKEN);
      assertThat(answer.body()).contains("\"data\":[1,2]");
      assertThat(answer.header(ALLOWED)).isEqualTo(NAMED);
      assertThat(answer.header("Access-Control-Expose-Headers"))
          .contains("Inference-Header-Content-Length", "Retry-After");
    }

    @Test
    void aPageReadsWhyItsRequestWasRefused() {
      Answer answer = new Client(port).post(INFER, BODY, "Origin", NAMED);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header(ALLOWED)).isEqualTo(NAMED);
    }

    @Test
    void aPageOfAnotherOriginIsRefusedAndAnyOtherClientIsNot() throws Exception {
      assertThat(askFirst(port, OTHER, "POST").error()).contains("engine.http.allowed-origins");
      assertThat(askFirst(port, NAMED, "DELETE").status()).isEqualTo(403);
      Answer refused = new Client(port).post(INFER, BODY, "Origin", OTHER, "Authorization", TOKEN);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.header(ALLOWED)).isEmpty();
      assertThat(new Client(port).post(INFER, BODY, "Authorization", TOKEN).status())
          .isEqualTo(200);
    }
  }

  @Nested
  final class None extends HeapServiceTest {
    @Test
    void browsersAreToldNothingUnlessOriginsAreNamed() throws Exception {
      Answer answer = client().post(INFER, BODY, "Origin", NAMED);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header(ALLOWED)).isEmpty();
      assertThat(askFirst(port(), NAMED, "POST").header(ALLOWED)).isEmpty();
    }
  }
}
