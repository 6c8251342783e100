package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.miniinference.runtime.Model;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveRequest;
import io.miniinference.service.scheduling.Scheduler;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Requests that are given up while the device works on another: they never run.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"engine.pool.capacity=1MB", "engine.metrics.triton-names=true"})
@Import(HeapEngineConfiguration.class)
final class GivenUpTest {
  private static final String INPUTS =
      "\"inputs\":[{\"name\":\"a\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]},"
          + "{\"name\":\"b\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}]}";
  private static final int MANY = 50;
  private static final long MINUTE_NANOS = 60_000_000_000L;

  @LocalServerPort private int port;
  @Autowired private GrpcServerLifecycle server;
  @Autowired private RunningEngine engine;
  @Autowired private Scheduler scheduler;
  @Autowired private Catalog catalog;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("waiting/1")::toString);
  }

  @Test
  void timeoutsDeadlinesAndCancellationsEndRequestsThatHaveNotBegun() throws Exception {
    var heap = (HeapEngine) engine.engine();
    var first = CompletableFuture.supplyAsync(() -> client().infer("waiting", "{" + INPUTS));
    heap.begun.await();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
    try {
      checkTimeout();
      checkGone();
      checkDeadline(channel);
      checkCancellation(channel);
      checkConnection(channel);
    } finally {
      channel.shutdownNow();
      heap.release.release();
    }

    assertThat(first.get().status()).isEqualTo(200);
    assertThat(client().get("/v2/models/waiting/stats").body()).contains("\"execution_count\":1,");
  }

  private void checkTimeout() {
    var late = client().infer("waiting", "{\"parameters\":{\"timeout\":1000}," + INPUTS);

    assertThat(late.status()).isEqualTo(503);
    assertThat(late.error())
        .contains("deadline passed before it ran: its parameter timeout is shorter than the wait");
    String failures =
        "nv_inference_request_failure{model=\"waiting\",reason=\"%s\",version=\"1\"} ";
    assertThat(client().get("/actuator/prometheus").body())
        .contains(failures.formatted("REJECTED") + "1.0", failures.formatted("CANCELED") + "0.0");
  }

  /* A client of HTTP says nothing when it goes. */
  private void checkGone() throws IOException {
    byte[] body = ("{" + INPUTS).getBytes(StandardCharsets.US_ASCII);
    try (var socket = new Socket("localhost", port)) {
      String head =
          "POST /v2/models/waiting/infer HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n"
              .formatted(body.length);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      awaitWaiting(1);
    }
    awaitWaiting(0);
  }

  private void checkDeadline(ManagedChannel channel) {
    var stub =
        GRPCInferenceServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(500, TimeUnit.MILLISECONDS);

    assertThatThrownBy(() -> stub.modelInfer(request())).hasMessageContaining("DEADLINE_EXCEEDED");
    awaitWaiting(0);
  }

  private void checkCancellation(ManagedChannel channel) {
    var answer = GRPCInferenceServiceGrpc.newFutureStub(channel).modelInfer(request());
    awaitWaiting(1);

    answer.cancel(true);

    awaitWaiting(0);
  }

  /* Requests that wait keep no thread of their connection. */
  private void checkConnection(ManagedChannel channel) {
    var waiting = Stream.generate(() -> future(channel)).limit(MANY).toList();
    awaitWaiting(MANY);

    var live =
        GRPCInferenceServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(30, TimeUnit.SECONDS)
            .serverLive(ServerLiveRequest.getDefaultInstance());

    assertThat(live.getLive()).isTrue();
    waiting.forEach(answer -> answer.cancel(true));
    awaitWaiting(0);
  }

  private static Future<ModelInferResponse> future(ManagedChannel channel) {
    return GRPCInferenceServiceGrpc.newFutureStub(channel).modelInfer(request());
  }

  private void awaitWaiting(int requests) {
    Model model = catalog.ready("waiting", null).model();
    long deadline = System.nanoTime() + MINUTE_NANOS;
    while (scheduler.waiting(model) != requests) {
      assertThat(System.nanoTime()).as("%d requests wait", requests).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static ModelInferRequest request() {
    var contents = InferTensorContents.newBuilder().addAllFp32Contents(List.of(1f, 2f, 3f));
    ModelInferRequest.Builder request = ModelInferRequest.newBuilder().setModelName("waiting");
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

  private Client client() {
    return new Client(port);
  }
}
