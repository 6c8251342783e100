package io.miniinference.service.admission;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

/// What the service does when it is asked too much, when its device fails, and when models of its
/// repository cannot be loaded.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"engine.pool.capacity=1MB", "engine.queue.max-requests=1"})
@Import(HeapEngineConfiguration.class)
final class OverloadTest {
  private static final String BODY =
      """
      {"inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","data":[1,2,3]},
                 {"name":"b","shape":[1,3],"datatype":"FP32","data":[1,2,3]}]}\
      """;

  private static final String HEAD =
      "POST /v2/models/adder/infer HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n"
          .formatted(BODY.length());

  @LocalServerPort private int port;
  @Autowired private GrpcServerLifecycle server;
  @Autowired private RunningEngine engine;
  @Autowired private CircuitBreakerRegistry breakers;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    var folder = Repositories.of("adder/1", "lost/1", "waiting/1", "unreadable/1", "huge/1");
    registry.add("engine.models.repository", folder::toString);
  }

  @Test
  void aRequestOverTheBoundIsRefusedBeforeItsBodyComesAndTheOneInFlightIsAnswered()
      throws Exception {
    var heap = (HeapEngine) engine.engine();
    var first = CompletableFuture.supplyAsync(() -> client().infer("waiting", BODY));
    heap.begun.await();

    Answer second = client().infer("adder", BODY);
    try (var socket = new Socket("localhost", port)) {
      socket.setSoTimeout(30_000);
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      send(socket, HEAD);
      assertThat(in.readLine()).contains(" 503 ");
      assertThat(head(in)).contains("Retry-After: 1").doesNotContain("Connection: close");
      heap.release.release();
      assertThat(first.get().status()).isEqualTo(200);

      send(socket, BODY + HEAD + BODY); // what was refused comes late, and the connection is good
      assertThat(in.lines().filter(line -> line.contains("HTTP/1.1")).findFirst())
          .hasValueSatisfying(status -> assertThat(status).contains(" 200 "));
    }

    assertThat(second.status()).isEqualTo(503);
    assertThat(second.header("retry-after")).isEqualTo("1");
    assertThat(second.error()).contains("too many requests", "engine.queue.max-requests=1");
    assertThat(client().infer("adder", BODY).status()).isEqualTo(200);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static List<String> head(BufferedReader in) {
    return in.lines().takeWhile(line -> !line.isEmpty()).toList();
  }

  @Test
  void aStreamIsHeldBackWhereTheSameRequestsAtOnceWouldBeRefused() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
    var answers = new LinkedBlockingQueue<String>();
    try {
      StreamObserver<ModelInferRequest> requests =
          GRPCInferenceServiceGrpc.newStub(channel).modelStreamInfer(collecting(answers));
      for (int i = 0; i < 50; i++) {
        requests.onNext(addition());
      }
      requests.onCompleted();

      for (int i = 0; i < 50; i++) {
        assertThat(answers.poll(30, TimeUnit.SECONDS)).isEmpty();
      }
    } finally {
      channel.shutdownNow();
    }
  }

  private static ModelInferRequest addition() {
    var contents = InferTensorContents.newBuilder().addAllFp32Contents(List.of(1f, 2f, 3f));
    ModelInferRequest.Builder request = ModelInferRequest.newBuilder().setModelName("adder");
    for (String name : List.of("a", "b")) {
      request.addInputs(
          InferInputTensor.newBuilder()
              .setName(name)
              .setDatatype("FP32")
              .addAllShape(List.of(1L, 3L))
              .setContents(contents));
    }
    return request.build();
  }

  /* What each answer complains of. */
  private static StreamObserver<ModelStreamInferResponse> collecting(
      BlockingQueue<String> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(ModelStreamInferResponse answer) {
        answers.add(answer.getErrorMessage());
      }

      @Override
      public void onError(Throwable error) {
        answers.add(String.valueOf(error));
      }

      @Override
      public void onCompleted() {}
    };
  }

  @Test
  void aModelWithWhichTheDeviceFailsRestsAndTheOthersServe() {
    var breaker = breakers.circuitBreaker("lost", "inference");
    try {
      breaker.reset();
      Answer failed = client().infer("lost", BODY);
      for (int i = 0; i < 4; i++) {
        assertThat(client().infer("lost", BODY).status()).isEqualTo(500);
      }

      assertThat(failed.status()).isEqualTo(500);
      assertThat(failed.error()).contains("the device failed", "CL_DEVICE_NOT_AVAILABLE");
      assertThat(client().infer("lost", BODY).status()).isEqualTo(503);
      assertThat(client().infer("lost", BODY).error()).contains("its circuit breaker is open");
      assertThat(client().infer("adder", BODY).status()).isEqualTo(200);
      assertThat(health("lost").path("state").stringValue()).isEqualTo("resting");
      assertThat(client().get("/actuator/prometheus").body())
          .contains("\nengine_model_ready{model=\"lost\"} 0.0\n")
          .contains("\nengine_model_ready{model=\"adder\"} 1.0\n");
    } finally {
      breaker.reset();
    }
  }

  @Test
  void aBreakerThatIsOpenedByHandShowsInHealthAndBlamesNoDevice() {
    var breaker = breakers.circuitBreaker("adder", "inference");
    try {
      breaker.transitionToForcedOpenState();

      assertThat(client().infer("adder", BODY).status()).isEqualTo(503);
      assertThat(client().infer("adder", BODY).error()).contains("opened by hand");
      assertThat(health("adder").path("state").stringValue()).isEqualTo("resting");
    } finally {
      breaker.reset();
    }
  }

  private JsonNode health(String model) {
    return client()
        .get("/actuator/health/readiness")
        .json()
        .path("components")
        .path("models")
        .path("details")
        .path(model);
  }

  @Test
  void badRequestsDoNotOpenTheBreaker() {
    for (int i = 0; i < 30; i++) {
      assertThat(client().infer("adder", "{").status()).isEqualTo(400);
    }
    assertThat(client().infer("adder", BODY).status()).isEqualTo(200);
  }

  @Test
  void modelsThatCannotBeLoadedEndReadinessAndTheOthersServe() {
    Answer models = client().get("/actuator/health/readiness");

    assertThat(client().get("/v2/health/ready").status()).isEqualTo(503);
    assertThat(client().get("/v2/health/live").status()).isEqualTo(200);
    assertThat(models.body())
        .contains("2 problems in 'unreadable'", "node 'a' (Foo)", "node 'b' (Bar)")
        .contains(
            "asked for 1099511627776 bytes", "\"adder\":{\"state\":\"ready\",\"version\":\"1\"}");
    assertThat(client().infer("unreadable", BODY).status()).isEqualTo(503);
    assertThat(client().infer("unreadable", BODY).error()).contains("is not at ready state");
    assertThat(client().infer("unreadable", BODY).response().headers().firstValue("Retry-After"))
        .as("nothing to come again for")
        .isEmpty();
    assertThat(client().get("/v2/models/huge/ready").status()).isEqualTo(503);
  }

  private Client client() {
    return new Client(port);
  }
}
