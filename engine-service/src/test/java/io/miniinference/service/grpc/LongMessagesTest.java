package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Messages that are longer than the service takes are refused in its own words: what gRPC for Java
/// refuses itself, it resets besides, and clients in C++ and Python then see a cancellation.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"engine.pool.capacity=1MB", "spring.grpc.server.inbound.message.max-size=2MB"})
@Import(HeapEngineConfiguration.class)
final class LongMessagesTest {
  private static final String WORDS =
      "RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 2097152"
          + " (spring.grpc.server.inbound.message.max-size)";

  @Autowired private GrpcServerLifecycle server;
  @Autowired private Admission admission;

  private ManagedChannel channel;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("adder/1")::toString);
  }

  @BeforeEach
  void connect() {
    channel = NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
  }

  @AfterEach
  void disconnect() throws InterruptedException {
    channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
  }

  private GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub stub() {
    return GRPCInferenceServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  private static ModelInferRequest request(int bytesMore) {
    return ModelInferRequest.newBuilder()
        .setModelName("adder")
        .addInputs(input("a"))
        .addInputs(input("b"))
        .addRawInputContents(ByteString.copyFrom(new byte[12]))
        .addRawInputContents(ByteString.copyFrom(new byte[12 + bytesMore]))
        .build();
  }

  private static InferInputTensor input(String name) {
    return InferInputTensor.newBuilder()
        .setName(name)
        .setDatatype("FP32")
        .addShape(1)
        .addShape(3)
        .build();
  }

  @Test
  void aLongerOneIsRefusedAndTheConnectionGoesOn() {
    assertThatThrownBy(() -> stub().modelInfer(request(3 << 20))).hasMessage(WORDS);
    assertThatThrownBy(() -> stub().modelInfer(request(1 << 20)))
        .hasMessageStartingWith("INVALID_ARGUMENT");
    assertThat(stub().modelInfer(request(0)).getRawOutputContentsCount()).isPositive();
    assertThat(admission.bodies().usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity"})
  void soIsOneThatGrowsLongerOrHasAnEncoding(String encoding) {
    assertThatThrownBy(() -> stub().withCompression(encoding).modelInfer(request(3 << 20)))
        .hasMessage(WORDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aStreamEndsWithItBehindItsAnswers(int before) throws InterruptedException {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    StreamObserver<ModelInferRequest> requests =
        GRPCInferenceServiceGrpc.newStub(channel)
            .modelStreamInfer(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ModelStreamInferResponse answer) {
                    seen.add("answer " + answer.getErrorMessage());
                  }

                  @Override
                  public void onError(Throwable error) {
                    Status status = Status.fromThrowable(error);
                    seen.add(status.getCode() + ": " + status.getDescription());
                  }

                  @Override
                  public void onCompleted() {
                    seen.add("end");
                  }
                });
    for (int i = 0; i < before; i++) {
      requests.onNext(request(0));
      assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("answer ");
    }

    requests.onNext(request(3 << 20));

    assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo(WORDS);
  }
}
