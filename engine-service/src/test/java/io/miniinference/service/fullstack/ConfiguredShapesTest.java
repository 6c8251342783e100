package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.LoggedLines;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfigRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelRepositoryParameter;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelLoadRequest;
import io.miniinference.service.settings.ModelFiles;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Shapes as a `config.pbtxt` has them: they fix what the file leaves open, are refused where they
/// disagree with it, and are what clients see where it has the model reshape.
final class ConfiguredShapesTest {
  @TempDir private static Path repository;

  private static RunningService service;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    image().write(repository, "open");
    image().write(repository, "image");
    configure(
        "image",
        """
        max_batch_size: 4
        input { name: 'x' dims: [ 2, 3, -1 ] }
        output { name: 'y' label_filename: 'labels.txt' }
        """);
    Files.writeString(repository.resolve("image/labels.txt"), "one\n");
    image().write(repository, "one");
    configure("one", "max_batch_size: 0 input { name: 'x' dims: [ 1, 2, 3, 5 ] }");
    // rows of 6 as 2 x 3, and a result without the axis of 1 that clients want
    new OpenModel()
        .floats("x", "batch,2,3")
        .node("ReduceSum", "x axes", "y", "keepdims=0")
        .list("axes", 1, 2)
        .output("y", "batch")
        .write(repository, "sums");
    configure(
        "sums",
        """
        max_batch_size: 8
        input { name: 'x' data_type: TYPE_FP32 dims: 6 reshape { shape: [ 2, 3 ] } }
        output { name: 'y' data_type: TYPE_FP32 dims: 1 reshape { } }
        """);
    negation("1,2,2").write(repository, "single");
    configure(
        "single",
        """
        input { name: 'x' dims: [ 2, 2 ] reshape { shape: [ 1, 2, 2 ] } }
        output { name: 'y' dims: [ 4 ] reshape { shape: [ 1, 2, 2 ] } }
        """);
    negation("batch,1,width").write(repository, "row");
    configure(
        "row",
        """
        max_batch_size: 8
        input { name: 'x' dims: -1 reshape { shape: [ 1, -1 ] } }
        output { name: 'y' dims: -1 reshape { shape: [ 1, -1 ] } }
        """);
    negation("").write(repository, "scalar");
    configure("scalar", "input { name: 'x' dims: [ 1 ] } output { name: 'y' dims: [ 1, 1 ] }");
    three().write(repository, "three");
    configure(
        "three",
        """
        max_batch_size: 4
        input { name: 'b' format: FORMAT_NHWC dims: [ 2, 1, 1 ] } input { name: 'a' dims: [ 2, 1, 1 ] }
        output { name: 'product' } output { name: 'sum' }
        """);
    // as exporters write it that name no open dimension, or each by itself
    sum("?,2", "?,2").write(repository, "unnamed");
    configure(
        "unnamed", "max_batch_size: 4 input { name: 'a' dims: 2 } input { name: 'b' dims: 2 }");
    sum("unk__1,2", "unk__2,2").write(repository, "apart");
    configure("apart", "max_batch_size: 4");
    service =
        RunningService.start(
            "engine.device=jvm",
            "engine.batching.max-size=8",
            "engine.pool.capacity=16MB",
            "engine.repository.token=sesame",
            "engine.models.repository=" + repository);
    channel =
        NettyChannelBuilder.forAddress("localhost", service.grpcPort()).usePlaintext().build();
  }

  private static OpenModel image() {
    return negation("N,2,height,?");
  }

  /// a + b, a − b and a · b.
  private static OpenModel three() {
    return new OpenModel()
        .floats("a", "batch,2,1,1")
        .floats("b", "batch,2,1,1")
        .node("Add", "a b", "sum")
        .node("Sub", "a b", "difference")
        .node("Mul", "a b", "product")
        .output("sum", "batch,2,1,1")
        .output("difference", "batch,2,1,1")
        .output("product", "batch,2,1,1");
  }

  private static OpenModel sum(String a, String b) {
    return new OpenModel().floats("a", a).floats("b", b).node("Add", "a b", "y").output("y", "?,2");
  }

  /// y = −x, both of that shape.
  private static OpenModel negation(String shape) {
    return new OpenModel().floats("x", shape).node("Neg", "x", "y").output("y", shape);
  }

  private static void configure(String model, String text) throws IOException {
    Path folder = Files.createDirectories(repository.resolve(model));
    Files.writeString(folder.resolve("config.pbtxt"), text);
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    service.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "open   | [-1,2,-1,-1] | [2,-1,-1]",
        "image  | [-1,2,3,-1]  | [2,3,-1]",
        "one    | [1,2,3,5]    | [1,2,3,5]",
        "sums   | [-1,6]       | [6]",
        "single | [2,2]        | [2,2]",
        "row    | [-1,-1]      | [-1]",
        "scalar | [1]          | [1]",
      })
  void clientsAreToldTheDims(String model, String shape, String dims) {
    JsonNode config = service.client().get("/v2/models/" + model + "/config").json();

    assertThat(inputShape(model)).isEqualTo(shape);
    assertThat(config.at("/input/0/dims").toString()).isEqualTo(dims);
    ModelMetadataResponse told =
        stub().modelMetadata(ModelMetadataRequest.newBuilder().setName(model).build());
    assertThat(told.getInputs(0).getShapeList().toString().replace(" ", "")).isEqualTo(shape);
    ModelConfig message =
        stub().modelConfig(ModelConfigRequest.newBuilder().setName(model).build()).getConfig();
    assertThat(message.getInput(0).getDimsList().toString().replace(" ", "")).isEqualTo(dims);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unnamed", "apart"})
  void withALargestBatchAxis0IsTheBatchWhateverTheFileCallsIt(String model) {
    JsonNode config = service.client().get("/v2/models/" + model + "/config").json();

    assertThat(config.at("/max_batch_size").intValue()).isEqualTo(4);
    assertThat(config.at("/input/1/dims").toString()).isEqualTo("[2]");
    check(pair(model, 2, 2), List.of(2L, 2L), 2, 2, 2, 2);
    assertThat(pair(model, 5, 5).error())
        .isEqualTo("inference request batch-size must be <= 4 for '%s', got 5".formatted(model));
    assertThat(pair(model, 2, 1).status()).isEqualTo(400);
  }

  /* A request for so many rows of ones of each input. */
  private static Answer pair(String model, int a, int b) {
    String tensor = "{\"name\":\"%s\",\"datatype\":\"FP32\",\"shape\":[%d,2],\"data\":[%s1]}";
    return service
        .client()
        .post(
            "/v2/models/" + model + "/infer",
            "{\"inputs\":[%s,%s]}"
                .formatted(
                    tensor.formatted("a", a, "1,".repeat(2 * a - 1)),
                    tensor.formatted("b", b, "1,".repeat(2 * b - 1))));
  }

  @Test
  void theFileOfLabelsIsToldOverBothProtocols() {
    ModelConfigRequest request = ModelConfigRequest.newBuilder().setName("image").build();

    assertThat(stub().modelConfig(request).getConfig().getOutput(0).getLabelFilename())
        .isEqualTo("labels.txt");
    assertThat(
            service
                .client()
                .get("/v2/models/image/config")
                .json()
                .at("/output/0/label_filename")
                .stringValue())
        .isEqualTo("labels.txt");
  }

  @Test
  void anotherSizeThanTheOneThatIsFixedIsRefused() {
    Answer fits = infer("image", "[1,2,3,1]", "[1,2,3,4,5,6]");
    Answer other = infer("image", "[1,2,2,1]", "[1,2,3,4]");

    check(fits, List.of(1L, 2L, 3L, 1L), -1, -2, -3, -4, -5, -6);
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.error())
        .isEqualTo(
            "unexpected shape for input 'x' for model 'image'. Expected [-1,2,3,-1], got [1,2,2,1]");
  }

  @Test
  void theModelGetsTheReshapeAndTheClientTheDims() {
    check(infer("sums", "[2,6]", "[1,2,3,4,5,6,10,20,30,40,50,60]"), List.of(2L, 1L), 21, 210);
    check(infer("single", "[2,2]", "[1,2,3,4]"), List.of(4L), -1, -2, -3, -4);
    check(infer("row", "[2,3]", "[1,2,3,4,5,6]"), List.of(2L, 3L), -1, -2, -3, -4, -5, -6);
    check(infer("scalar", "[1]", "[3]"), List.of(1L, 1L), -3);
    Answer own = infer("sums", "[1,2,3]", "[1,2,3,4,5,6]");
    assertThat(own.error())
        .isEqualTo("unexpected shape for input 'x' for model 'sums'. Expected [-1,6], got [1,2,3]");
    assertThat(infer("sums", "[9,6]", "[" + "1,".repeat(53) + "1]").error())
        .isEqualTo("inference request batch-size must be <= 8 for 'sums', got 9");
  }

  @Test
  void binaryTensorsAreReshapedToo() {
    String json =
        """
        {"inputs":[{"name":"x","shape":[1,6],"datatype":"FP32","parameters":{"binary_data_size":24}}],\
        "outputs":[{"name":"y","parameters":{"binary_data":true}}]}\
        """;
    byte[] head = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(head.length + 24).order(ByteOrder.LITTLE_ENDIAN);
    body.put(head);
    for (int i = 1; i <= 6; i++) {
      body.putFloat(i);
    }
    Answer answer =
        service
            .client()
            .post(
                "/v2/models/sums/infer",
                BodyPublishers.ofByteArray(body.array()),
                "Inference-Header-Content-Length",
                Integer.toString(head.length));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("\"shape\":[1,1]", "\"binary_data_size\":4");
  }

  @Test
  void overGrpcTheyAreReshapedToo() {
    ByteBuffer floats = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i <= 6; i++) {
      floats.putFloat(i);
    }
    ModelInferResponse answer =
        stub()
            .modelInfer(
                ModelInferRequest.newBuilder()
                    .setModelName("sums")
                    .addInputs(
                        InferInputTensor.newBuilder()
                            .setName("x")
                            .setDatatype("FP32")
                            .addShape(1)
                            .addShape(6))
                    .addRawInputContents(ByteString.copyFrom(floats.flip()))
                    .build());
    assertThat(answer.getOutputs(0).getShapeList()).containsExactly(1L, 1L);
    assertThat(
            answer
                .getRawOutputContents(0)
                .asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .getFloat())
        .isEqualTo(21);
  }

  @Test
  void anOutputThatIsOfAnotherSizeThanItsReshapeIsRefusedWithItsRequest() {
    String reshape =
        "{\"max_batch_size\":8,\"output\":[{\"name\":\"y\",\"dims\":[4],\"reshape\":{\"shape\":[1,4]}}]}";
    negation("batch,1,width").write(repository, "four");
    Answer loaded =
        service
            .client()
            .post(
                "/v2/repository/models/four/load",
                "{\"parameters\":{\"config\":\"" + reshape.replace("\"", "\\\"") + "\"}}",
                "Authorization",
                "Bearer sesame");
    assertThat(loaded.status()).as(loaded.body()).isEqualTo(200);

    check(infer("four", "[1,1,4]", "[1,2,3,4]"), List.of(1L, 4L), -1, -2, -3, -4);
    Answer refused = infer("four", "[1,1,3]", "[1,2,3]");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.error())
        .isEqualTo(
            "tensor 'y' has shape [1, 1, 3] with this request, and [-1, 1, 4] in the model configuration");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max_batch_size: 4 input { name: 'x' dims: [ 3, 8, 8 ] }"
            + " | tensor 'x': the model expects 4 dimensions (shape [-1,2,-1,-1]) but the model configuration"
            + " specifies 4 dimensions (an initial batch dimension because max_batch_size > 0 followed by the"
            + " explicit tensor shape, making complete shape [-1,3,8,8])."
            + " Set dims to [2,-1,-1], or leave the block out",
        "input { name: 'x' dims: [ 2, 8, 8 ] }"
            + " | tensor 'x': the model expects 4 dimensions (shape [-1,2,-1,-1]) but the model configuration"
            + " specifies 3 dimensions (shape [2,8,8]). Set dims to [-1,2,-1,-1], or leave the block out",
        "max_batch_size: 4 input { name: 'x' dims: [ -1, 8, 8 ] } | complete shape [-1,-1,8,8])",
        "max_batch_size: 4 output { name: 'y' dims: [ 3, 8, 8 ] } | tensor 'y': the model expects 4 dim",
        "max_batch_size: 4 input { name: 'x' dims: [ 64 ] reshape { shape: [ 1, 8, 8 ] } }"
            + " | Set reshape to [2,-1,-1], or leave",
        "max_batch_size: 4 input { name: 'x' dims: [ 64 ] reshape { shape: [ 2, 8, 8 ] } }"
            + " | tensor 'x': its shape of [-1, 64] in the model configuration and its reshape of [-1, 2, 8, 8]",
        "input { name: 'x' dims: [ 128 ] reshape { shape: [ 1, 2, 8, 8 ] } } output { name: 'y' dims: [ 5 ] }"
            + " | tensor 'y': the model expects 4 dimensions (shape [1,2,8,8]) but",
        "max_batch_size: 4 output { name: 'y' dims: [ 999999999999, 999999999999 ] reshape { shape: [ 2, 8, 8 ] } }"
            + " | tensor 'y': its shape of [-1, 999999999999, 999999999999] in the model configuration",
        "input { name: 'z' dims: [ 2, 8, 8 ] }"
            + " | unexpected inference input 'z' in the model configuration, allowed inputs are: x",
        "input { name: 'x' data_type: TYPE_INT32 }"
            + " | expects datatype TYPE_INT32 for input 'x', the model provides TYPE_FP32",
      })
  void whatDisagreesWithTheFileIsRefusedInTritonsWords(String config, String message)
      throws IOException {
    image().write(repository, "wrong");
    configure("wrong", config);

    Answer refused =
        service
            .client()
            .post("/v2/repository/models/wrong/load", "", "Authorization", "Bearer sesame");

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.error()).startsWith("failed to load 'wrong': ").contains(message);
  }

  /// Boxes that are chosen are as many as there are, whatever the batch.
  @Test
  void rowsThatOnlyTheDeviceCountsAreNoBatch() throws IOException {
    new OpenModel()
        .floats("boxes", "batch,3,4")
        .floats("scores", "batch,1,3")
        .list("most", 10)
        .node("NonMaxSuppression", "boxes scores most", "chosen")
        .output("chosen", "found,3")
        .write(repository, "detector");
    configure("detector", "max_batch_size: 4 output { name: 'chosen' dims: [ 6 ] }");

    Answer refused =
        service
            .client()
            .post("/v2/repository/models/detector/load", "", "Authorization", "Bearer sesame");

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.error()).contains("Set max_batch_size to 0 and dims to [-1,3], or leave");
  }

  /// Tools change a setting of what they are told, and load that.
  @ParameterizedTest
  @ValueSource(strings = {"open", "image", "one", "sums", "single", "row", "scalar", "three"})
  void theConfigurationThatIsToldCanBeLoaded(String model) {
    String path = "/v2/models/" + model + "/config";
    String told = service.client().get(path).body();
    String other = told.replace("delay_microseconds\":0", "delay_microseconds\":500");
    try (var lines = new LoggedLines(ModelFiles.class)) {
      Answer loaded =
          service
              .client()
              .post(
                  "/v2/repository/models/" + model + "/load",
                  "{\"parameters\":{\"config\":\"" + other.replace("\"", "\\\"") + "\"}}",
                  "Authorization",
                  "Bearer sesame");

      assertThat(loaded.status()).as(loaded.body()).isEqualTo(200);
      assertThat(lines.containing("not applied")).isEmpty();
    }
    assertThat(service.client().get(path).body()).isEqualTo(other);
    service
        .client()
        .post("/v2/repository/models/" + model + "/load", "", "Authorization", "Bearer sesame");
    assertThat(service.client().get(path).body()).isEqualTo(told);
  }

  @Test
  void aRawBodyIsOneRowWhereAnotherSizeIsOpenToo() {
    assertThat(raw("row", 3).body()).contains("\"shape\":[1,3]");
    assertThat(raw("image", 12).body()).contains("\"shape\":[1,2,3,2]");
    assertThat(raw("image", 7).error())
        .contains("a raw binary request of 28 bytes is no input 'x' of FP32[-1, 2, 3, -1]");
    assertThat(raw("open", 12).error()).contains("FP32[-1, 2, -1, -1]");
  }

  private static Answer raw(String model, int floats) {
    return service
        .client()
        .post(
            "/v2/models/" + model + "/infer",
            BodyPublishers.ofByteArray(new byte[4 * floats]),
            "Inference-Header-Content-Length",
            "0");
  }

  @Test
  void clientsSeeTheTensorsThatHaveBlocksInTheOrderOfThese() {
    JsonNode metadata = service.client().get("/v2/models/three").json();
    JsonNode config = service.client().get("/v2/models/three/config").json();
    String request =
        """
        {"inputs":[{"name":"a","datatype":"FP32","shape":[1,2,1,1],"data":[5,6]},\
        {"name":"b","datatype":"FP32","shape":[1,2,1,1],"data":[2,3]}]%s}\
        """;

    assertThat(names(metadata.path("inputs"))).containsExactly("b", "a");
    assertThat(names(metadata.path("outputs"))).containsExactly("product", "sum");
    assertThat(names(config.path("input"))).containsExactly("b", "a");
    assertThat(names(config.path("output"))).containsExactly("product", "sum");
    assertThat(config.at("/input/0/format").stringValue()).isEqualTo("FORMAT_NHWC");
    assertThat(config.at("/input/1/format").stringValue()).isEqualTo("FORMAT_NONE");
    Answer all = service.client().infer("three", request.formatted(""));
    assertThat(names(all.json().path("outputs"))).containsExactly("product", "sum");
    check(all, List.of(1L, 2L, 1L, 1L), 10, 18);
    Answer one =
        service.client().infer("three", request.formatted(",\"outputs\":[{\"name\":\"sum\"}]"));
    check(one, List.of(1L, 2L, 1L, 1L), 7, 9);
    Answer none =
        service
            .client()
            .infer("three", request.formatted(",\"outputs\":[{\"name\":\"difference\"}]"));
    assertThat(none.status()).isEqualTo(400);
    assertThat(none.error()).endsWith("its outputs are 'product', 'sum'");
  }

  private static List<String> names(JsonNode tensors) {
    return tensors.valueStream().map(tensor -> tensor.path("name").stringValue()).toList();
  }

  @Test
  void aModelCannotDoWithoutAnInput() throws IOException {
    three().write(repository, "two");
    configure("two", "max_batch_size: 4 input { name: 'a' dims: [ 2, 1, 1 ] }");

    Answer refused =
        service
            .client()
            .post("/v2/repository/models/two/load", "", "Authorization", "Bearer sesame");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.error())
        .contains("configuration expects 1 inputs, model provides 2: give blocks for all of a, b");
  }

  @Test
  void theReshapeIsToldBesideTheDims() {
    assertThat(service.client().get("/v2/models/sums/config").body())
        .contains("\"dims\":[6],\"reshape\":{\"shape\":[2,3]}")
        .contains("\"dims\":[1],\"reshape\":{\"shape\":[]}");
    ModelConfig message =
        stub().modelConfig(ModelConfigRequest.newBuilder().setName("sums").build()).getConfig();
    assertThat(message.getInput(0).getReshape().getShapeList()).containsExactly(2L, 3L);
    assertThat(message.getOutput(0).hasReshape()).isTrue();
    assertThat(service.client().get("/v2/models/open/config").body()).doesNotContain("reshape");
  }

  @Test
  void aLoadsOwnConfigurationFixesSizesForThatLoad() {
    image().write(repository, "changing");
    var token = new Metadata();
    token.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer sesame");
    var guarded = stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token));
    String config = "{\"max_batch_size\":2,\"input\":[{\"name\":\"x\",\"dims\":[\"2\",7,-1]}]}";
    guarded.repositoryModelLoad(
        RepositoryModelLoadRequest.newBuilder()
            .setModelName("changing")
            .putParameters(
                "config", ModelRepositoryParameter.newBuilder().setStringParam(config).build())
            .build());

    assertThat(inputShape("changing")).isEqualTo("[-1,2,7,-1]");
    guarded.repositoryModelLoad(
        RepositoryModelLoadRequest.newBuilder().setModelName("changing").build());
    assertThat(inputShape("changing")).isEqualTo("[-1,2,-1,-1]");
  }

  private static String inputShape(String model) {
    return service.client().get("/v2/models/" + model).json().at("/inputs/0/shape").toString();
  }

  private static GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub stub() {
    return GRPCInferenceServiceGrpc.newBlockingStub(channel);
  }

  private static Answer infer(String model, String shape, String data) {
    return service
        .client()
        .infer(
            model,
            "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":%s,\"data\":%s}]}"
                .formatted(shape, data));
  }

  private static void check(Answer answer, List<Long> shape, double... data) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode output = answer.json().at("/outputs/0");
    assertThat(output.path("shape")).map(JsonNode::longValue).isEqualTo(shape);
    assertThat(
            StreamSupport.stream(output.path("data").spliterator(), false)
                .mapToDouble(JsonNode::doubleValue)
                .toArray())
        .containsExactly(data);
  }
}
