package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service that speaks TLS alone, on both protocols, to clients whose certificate it knows, and
/// answers those of them who know the token.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "engine.pool.capacity=1MB",
      "engine.inference.token=of-the-test",
      "server.ssl.bundle=own",
      "server.ssl.client-auth=need",
      "spring.grpc.server.ssl.bundle=own",
      "spring.grpc.server.ssl.client-auth=require",
    })
@Import(HeapEngineConfiguration.class)
@ExtendWith(OutputCaptureExtension.class)
final class SecureTest {
  private static final String TOKEN = "Bearer of-the-test";
  private static final String BODY =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final Certificates CERTIFICATES = certificates();

  @LocalServerPort private int port;
  @Autowired private GrpcServerLifecycle grpc;

  private static Certificates certificates() {
    try {
      Path folder = Files.createTempDirectory("certificates");
      return new Certificates(folder);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @DynamicPropertySource
  static void properties(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("same-u8/1")::toString);
    String bundle = "spring.ssl.bundle.jks.own.";
    registry.add(bundle + "keystore.location", () -> CERTIFICATES.keys("server").toString());
    registry.add(bundle + "keystore.password", () -> Certificates.PASSWORD);
    registry.add(bundle + "truststore.location", () -> CERTIFICATES.trust("client").toString());
    registry.add(bundle + "truststore.password", () -> Certificates.PASSWORD);
  }

  @Test
  void aKnownClientWithTheTokenIsAnswered() throws Exception {
    HttpResponse<String> answer = infer(true, TOKEN);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"data\":[1,2]");
  }

  @Test
  void theLogTellsAnAddressThatSpeaksTls(CapturedOutput log) {
    assertThat(log.getOut())
        .contains("listening on https://localhost:" + port)
        .contains("inference asks for its token")
        .contains("curl -s -H 'Authorization: Bearer TOKEN' https://localhost:" + port)
        .doesNotContain("of-the-test");
  }

  @Test
  void aWrongTokenOrNoneIsRefused() throws Exception {
    assertThat(infer(true, "Bearer of-another").statusCode()).isEqualTo(401);
    assertThat(infer(true, "of-the-test").body()).contains("engine.inference.token");
  }

  @Test
  void anUnknownClientAndPlainTextHaveNoConnection() {
    assertThatThrownBy(() -> infer(false, TOKEN)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> send(HttpClient.newHttpClient(), "http", TOKEN))
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(IOException.class),
            e -> assertThat(e).hasMessageContaining("400"));
  }

  private HttpResponse<String> infer(boolean known, String token) throws Exception {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(CERTIFICATES.client(known)).build()) {
      return send(client, "https", token);
    }
  }

  private HttpResponse<String> send(HttpClient client, String scheme, String token)
      throws Exception {
    URI uri = URI.create(scheme + "://localhost:" + port + "/v2/models/same-u8/infer");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", token)
            .POST(BodyPublishers.ofString(BODY))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (scheme.equals("http")) {
      throw new AssertionError("plain text was answered with " + answer.statusCode());
    }
    return answer;
  }

  @Test
  void overGrpcTheSameHolds() throws Exception {
    ManagedChannel known = channel(true);
    ManagedChannel unknown = channel(false);
    try {
      var stub = GRPCInferenceServiceGrpc.newBlockingStub(known);
      assertThat(stub.serverLive(ServerLiveRequest.getDefaultInstance()).getLive()).isTrue();
      assertThatThrownBy(() -> stub.modelInfer(request()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAUTHENTICATED")
          .hasMessageContaining(
              "'authorization: Bearer TOKEN'"); // in small letters, or clients fail
      var headers = new Metadata();
      headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), TOKEN);
      var admitted = stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
      assertThat(admitted.modelInfer(request()).getRawOutputContents(0).toByteArray())
          .containsExactly(1, 2);
      var stranger = GRPCInferenceServiceGrpc.newBlockingStub(unknown);
      assertThatThrownBy(() -> stranger.serverLive(ServerLiveRequest.getDefaultInstance()))
          .hasMessageContaining("UNAVAILABLE");
    } finally {
      known.shutdownNow();
      unknown.shutdownNow();
    }
  }

  private ManagedChannel channel(boolean known) throws Exception {
    var tls = GrpcSslContexts.forClient().trustManager(CERTIFICATES.clientTrust());
    if (known) {
      tls.keyManager(CERTIFICATES.clientKeys());
    }
    return NettyChannelBuilder.forAddress("localhost", grpc.getPort())
        .sslContext(tls.build())
        .build();
  }

  private static ModelInferRequest request() {
    return ModelInferRequest.newBuilder()
        .setModelName("same-u8")
        .addInputs(
            InferInputTensor.newBuilder()
                .setName("x")
                .setDatatype("UINT8")
                .addShape(1)
                .addShape(2)
                .setContents(
                    InferTensorContents.newBuilder().addUintContents(1).addUintContents(2)))
        .build();
  }
}
