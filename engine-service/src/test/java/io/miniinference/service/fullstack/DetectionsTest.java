package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;

/// A detector that chooses among its boxes, asked in each of the protocols: an answer has as many
/// rows as there are boxes, none among them.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DetectionsTest {
  private static final List<Float> BOXES = List.of(0f, 0f, 2f, 2f, 0f, 0f, 2f, 3f, 5f, 5f, 7f, 7f);
  private static final List<Float> TWO = List.of(0.25f, 0.5f, 0.75f);
  private static final List<Float> NONE = List.of(0f, 0f, 0f);

  @TempDir private static Path repository;

  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() {
    new OpenModel()
        .floats("boxes", "batch,3,4")
        .floats("scores", "batch,1,3")
        .list("most", 10)
        .list("one", 1)
        .list("ends", 0, 2)
        .counting("nought", 1)
        .node("NonMaxSuppression", "boxes scores most nought nought", "chosen")
        .node("GatherND", "scores chosen", "found")
        .node("Unsqueeze", "found one", "column")
        .node("Gather", "chosen ends", "places", "axis=1")
        .node("GatherND", "boxes places", "corners")
        .node("Concat", "corners column", "detections", "axis=1")
        .output("detections", "found,5")
        .write(repository, "detector");
    service =
        RunningService.start(
            "engine.device=" + tested.device(),
            "engine.pool.capacity=16MB",
            "engine.models.repository=" + repository);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  private Answer ask(List<Float> scores, String parameters) {
    return service
        .client()
        .infer(
            "detector",
            """
            {"inputs":[{"name":"boxes","datatype":"FP32","shape":[1,3,4],"data":%s},
            {"name":"scores","datatype":"FP32","shape":[1,1,3],"data":%s}]%s}\
            """
                .formatted(BOXES, scores, parameters));
  }

  private static void check(Answer answer, List<Integer> shape, List<Double> data) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode output = answer.json().path("outputs").path(0);
    assertThat(output.path("shape")).map(JsonNode::intValue).isEqualTo(shape);
    assertThat(output.path("data")).map(JsonNode::doubleValue).isEqualTo(data);
  }

  @Test
  void metadataLeaveTheNumberOfRowsOpen() {
    JsonNode output = service.client().get("/v2/models/detector").json().path("outputs");
    assertThat(output).hasSize(1);
    assertThat(output.path(0).path("shape")).map(JsonNode::intValue).containsExactly(-1, 5);
  }

  @Test
  void anAnswerHasARowForEachBox() {
    check(ask(TWO, ""), List.of(2, 5), List.of(5.0, 5.0, 7.0, 7.0, 0.75, 0.0, 0.0, 2.0, 3.0, 0.5));
    check(ask(NONE, ""), List.of(0, 5), List.of());
    check(ask(TWO, ""), List.of(2, 5), List.of(5.0, 5.0, 7.0, 7.0, 0.75, 0.0, 0.0, 2.0, 3.0, 0.5));
  }

  @Test
  void aBinaryAnswerIsAsLong() {
    String binary = ",\"parameters\":{\"binary_data_output\":true}";
    assertThat(ask(TWO, binary).body()).contains("\"shape\":[2,5]", "\"binary_data_size\":40");
    assertThat(ask(NONE, binary).body()).contains("\"shape\":[0,5]", "\"binary_data_size\":0");
  }

  @Test
  void soIsOneOverGrpc() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", service.grpcPort()).usePlaintext().build();
    try {
      GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub stub =
          GRPCInferenceServiceGrpc.newBlockingStub(channel);
      ModelInferResponse two = stub.modelInfer(request(TWO));
      assertThat(two.getOutputs(0).getShapeList()).containsExactly(2L, 5L);
      assertThat(two.getRawOutputContents(0).size()).isEqualTo(40);
      ModelInferResponse none = stub.modelInfer(request(NONE));
      assertThat(none.getOutputs(0).getShapeList()).containsExactly(0L, 5L);
      assertThat(none.getRawOutputContents(0).size()).isZero();
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static ModelInferRequest request(List<Float> scores) {
    return ModelInferRequest.newBuilder()
        .setModelName("detector")
        .addInputs(input("boxes", BOXES, 1, 3, 4))
        .addInputs(input("scores", scores, 1, 1, 3))
        .build();
  }

  private static InferInputTensor input(String name, List<Float> values, long... shape) {
    InferInputTensor.Builder input =
        InferInputTensor.newBuilder()
            .setName(name)
            .setDatatype("FP32")
            .setContents(InferTensorContents.newBuilder().addAllFp32Contents(values));
    for (long dim : shape) {
      input.addShape(dim);
    }
    return input.build();
  }
}
