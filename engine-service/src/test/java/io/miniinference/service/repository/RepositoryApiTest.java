package io.miniinference.service.repository;

import static io.miniinference.service.repository.RepositoryService.ADDITION;
import static io.miniinference.service.repository.RepositoryService.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.MeterRegistry;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.LoggedLines;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryIndexRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelLoadRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelUnloadRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/// Loading and unloading while the service runs.
final class RepositoryApiTest {

  @Test
  void withoutATokenNobodyLoadsOrUnloads() {
    try (var service = new RepositoryService(List.of(), "adder/1")) {
      Answer load = service.change("adder", "load");
      Answer unload = service.change("adder", "unload");

      assertThat(load.status()).isEqualTo(400);
      assertThat(load.error()).contains("not loaded or unloaded over the API", "engine.repository");
      assertThat(unload.status()).isEqualTo(400);
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
    }
  }

  @Test
  void whoeverDoesNotKnowTheTokenIsRefused() {
    try (var service = RepositoryService.guarded("adder/1")) {
      for (String given : List.of("Bearer sesam", "Bearer sesames", "sesame", "Basic c2VzYW1l")) {
        Answer answer =
            service.client().post("/v2/repository/models/adder/unload", "", "Authorization", given);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.error()).contains("'authorization: Bearer").doesNotContain(TOKEN);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
      }
      assertThat(service.client().post("/v2/repository/models/adder/unload", "").status())
          .isEqualTo(401);
      assertThat(service.index()).containsExactly("adder/1 READY");

      String otherCase = "bearer " + TOKEN;
      assertThat(
              service
                  .client()
                  .post("/v2/repository/models/adder/load", "", "Authorization", otherCase)
                  .status())
          .isEqualTo(200);
    }
  }

  @Test
  void withoutATokenOnlyAPropertyThatIsNamedUnsafeOpensIt() {
    var open = List.of("--engine.repository.unsafe-without-token=true");
    try (var service = new RepositoryService(open, "adder/1")) {
      assertThat(service.client().post("/v2/repository/models/adder/unload", "").status())
          .isEqualTo(200);
      assertThat(service.index()).containsExactly("adder/1 UNAVAILABLE");
    }
  }

  @Test
  void aNewModelIsLoadedAndGivenBackToTheByte() {
    try (var service = RepositoryService.guarded("adder/1")) {
      String before = service.pool().memoryMap().toString();
      service.write("more/1", "");

      assertThat(service.change("more", "load").status()).isEqualTo(200);
      assertThat(service.client().infer("more", ADDITION).status()).isEqualTo(200);
      assertThat(service.change("more", "unload").status()).isEqualTo(200);

      assertThat(service.pool().memoryMap()).hasToString(before);
      Answer gone = service.client().infer("more", ADDITION);
      assertThat(gone.status()).isEqualTo(404);
      assertThat(gone.error()).contains("it was unloaded");
      assertThat(service.index()).containsExactly("adder/1 READY", "more/1 UNAVAILABLE");
    }
  }

  @Test
  void whatTheRepositoryHasNoMoreIsNotInItsIndex() {
    try (var service = RepositoryService.guarded("adder/1", "more/1")) {
      service.delete("more");
      assertThat(service.index()).containsExactly("adder/1 READY", "more/1 READY");

      assertThat(service.change("more", "unload").status()).isEqualTo(200);

      assertThat(service.index()).containsExactly("adder/1 READY");
    }
  }

  @Test
  void aLoadOfAnUnknownModelFailsInTheWordsThatClientsLookFor() {
    try (var service = RepositoryService.guarded("adder/1")) {
      Answer answer = service.change("none", "load");

      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.error())
          .startsWith("failed to load 'none'")
          .endsWith("the repository has no such model");
    }
  }

  @Test
  void messagesOfKServeNameTheModelInTheirFirstField() {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    try (var service = RepositoryService.guarded("adder/1")) {
      ManagedChannel channel = service.channel();
      try {
        var stub =
            GRPCInferenceServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));

        stub.repositoryModelUnload(
            RepositoryModelUnloadRequest.newBuilder().setRepositoryName("adder").build());
        assertThat(service.index()).containsExactly("adder/1 UNAVAILABLE");
        stub.repositoryModelLoad(
            RepositoryModelLoadRequest.newBuilder().setRepositoryName("adder").build());
        assertThat(service.index()).containsExactly("adder/1 READY");
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aModelThatIsLoadedAgainKeepsItsSeries() {
    var options =
        List.of("--engine.repository.token=" + TOKEN, "--engine.metrics.triton-names=true");
    try (var service = new RepositoryService(options, "adder/1");
        var logged = new LoggedLines(MeterRegistry.class)) {
      assertThat(service.change("adder", "unload").status()).isEqualTo(200);
      // so that no alert asks where it is
      assertThat(service.client().get("/actuator/prometheus").body())
          .contains("engine_model_ready{model=\"adder\"} NaN");
      assertThat(service.change("adder", "load").status()).isEqualTo(200);
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);

      assertThat(logged.containing("already registered")).isEmpty();
      assertThat(service.client().get("/actuator/prometheus").body())
          .contains("nv_inference_request_success{model=\"adder\",version=\"1\"} 1.0");
    }
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void settingsOfAModelThatIsNotThereAreToldOf(CapturedOutput log) {
    var options =
        List.of(
            "--engine.models.settings.addr.instances=1",
            "--logging.level.io.miniinference.service.catalog=warn");
    try (var service = new RepositoryService(options, "adder/1", "picker/1")) {
      assertThat(log)
          .containsPattern(
              "engine.models.settings.addr is for no model in .*, which has adder, picker");
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
    }
  }

  @Test
  void aModelThatIsNotInTheRepositoryIsNotFound() {
    try (var service = RepositoryService.guarded("adder/1")) {
      for (String name : List.of("nothing", "..%2fadder", "%2e%2e", "adder%2f1")) {
        assertThat(service.change(name, "load").status()).as(name).isIn(400, 404);
      }
      assertThat(service.change("nothing", "unload").status()).isEqualTo(404);
      assertThat(service.index()).containsExactly("adder/1 READY");
    }
  }

  @Test
  void aFolderWithoutAModelOfTheFormatIsToldWithWhatItHolds() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      Path version = Files.createDirectories(service.folder().resolve("tokens/1"));
      Files.createFile(version.resolve("model.py"));

      Answer answer = service.change("tokens", "load");

      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.error())
          .endsWith("it is left out of the repository: 'model.py' is not an ONNX model");
    }
  }

  /// Clients unload whatever the index has.
  @Test
  void whatIsNotServedCanBeUnloaded() throws IOException {
    var options =
        List.of("--engine.repository.token=" + TOKEN, "--engine.models.names=adder,unreadable");
    try (var service = new RepositoryService(options, "adder/1", "picker/1", "unreadable/1")) {
      Files.createDirectories(service.folder().resolve("tokens/1"));

      for (String name : List.of("picker", "tokens", "unreadable", "adder", "adder")) {
        assertThat(service.change(name, "unload").status()).as(name).isEqualTo(200);
      }
      assertThat(service.change("nothing", "unload").status()).isEqualTo(404);
      assertThat(service.index())
          .containsExactly(
              "adder/1 UNAVAILABLE",
              "picker/1 UNAVAILABLE",
              "tokens/ UNAVAILABLE",
              "unreadable/1 UNAVAILABLE");
    }
  }

  @Test
  void whatIsLeftOutAndWhatWasNotLoadedIsInTheIndexWithItsReason() throws IOException {
    var options = List.of("--engine.models.names=adder");
    try (var service = new RepositoryService(options, "adder/10", "picker/1")) {
      Files.createDirectories(service.folder().resolve("adder/2"));
      Path python = Files.createDirectories(service.folder().resolve("tokens/1"));
      Files.createFile(python.resolve("model.py"));
      Files.createDirectories(service.folder().resolve(".git"));

      String none = "it holds neither VERSION/model.onnx nor model.onnx";
      assertThat(service.client().post("/v2/repository/index", "{}").body())
          .isEqualTo(
              """
              [{"name":"adder","version":"2","state":"UNAVAILABLE","reason":"%s"},\
              {"name":"adder","version":"10","state":"READY"},\
              {"name":"picker","version":"1","state":"UNAVAILABLE","reason":"it was not loaded"},\
              {"name":"tokens","state":"UNAVAILABLE","reason":"'model.py' is not an ONNX model"}]\
              """
                  .formatted(none));
      assertThat(service.client().post("/v2/repository/index", "{\"ready\":true}").body())
          .isEqualTo("[{\"name\":\"adder\",\"version\":\"10\",\"state\":\"READY\"}]");
      assertThat(grpcIndex(service, false))
          .containsExactly(
              "adder 2 UNAVAILABLE " + none,
              "adder 10 READY ",
              "picker 1 UNAVAILABLE it was not loaded",
              "tokens  UNAVAILABLE 'model.py' is not an ONNX model");
      assertThat(grpcIndex(service, true)).containsExactly("adder 10 READY ");
    }
  }

  private static List<String> grpcIndex(RepositoryService service, boolean readyOnly) {
    ManagedChannel channel = service.channel();
    try {
      return GRPCInferenceServiceGrpc.newBlockingStub(channel)
          .repositoryIndex(RepositoryIndexRequest.newBuilder().setReady(readyOnly).build())
          .getModelsList()
          .stream()
          .map(it -> String.join(" ", it.getName(), it.getVersion(), it.getState(), it.getReason()))
          .toList();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void requestsThatNameNoVersionGetTheHighestThatIsReady() {
    try (var service = RepositoryService.guarded("adder/2", "adder/10")) {
      service.write("adder/11", "");
      assertThat(version(service)).isEqualTo("10");

      assertThat(service.change("adder", "load").status()).isEqualTo(200);
      assertThat(version(service)).isEqualTo("11");
      assertThat(service.index())
          .containsExactly("adder/2 READY", "adder/10 READY", "adder/11 READY");

      service.delete("adder/11");
      service.delete("adder/2");
      assertThat(service.change("adder", "load").status()).isEqualTo(200);
      assertThat(version(service)).isEqualTo("10");
      assertThat(service.client().get("/v2/models/adder/versions/11/ready").status())
          .isEqualTo(404);
    }
  }

  private static String version(RepositoryService service) {
    return service.client().infer("adder", ADDITION).json().path("model_version").stringValue();
  }

  @Test
  void aModelWithoutRoomIsAConflictWithTheFigures() {
    try (var service = RepositoryService.guarded("adder/1")) {
      String before = service.pool().memoryMap().toString();
      service.write("huge/1", "");

      Answer refused = service.change("huge", "load");

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.error()).contains("1,099,511,627,776 bytes", "65,536", "61,440 free");
      assertThat(service.pool().memoryMap()).hasToString(before);
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void aModelThatIsBrokenIsToldWithItsProblemsAndChangesNothing() {
    try (var service = RepositoryService.guarded("adder/1")) {
      String before = service.pool().memoryMap().toString();
      service.write("unreadable/1", "");

      Answer refused = service.change("unreadable", "load");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).contains("node 'a' (Foo)");
      assertThat(service.pool().memoryMap()).hasToString(before);
      assertThat(service.index()).containsExactly("adder/1 READY", "unreadable/1 UNAVAILABLE");
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void anErrorOfTheJvmWhileAModelLoadsIsToldAndTheOthersServe() {
    try (var service = RepositoryService.guarded("adder/1")) {
      for (String name : List.of("overflowing", "exhausting")) {
        service.write(name + "/1", "");
        assertThat(service.change(name, "load").status()).isIn(400, 500);
      }
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void thoseWhoWatchAModelAreToldThatItWasUnloadedAndLoaded() {
    try (var service = RepositoryService.guarded("adder/1")) {
      ManagedChannel channel = service.channel();
      try {
        Iterator<HealthCheckResponse> watched =
            HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .watch(HealthCheckRequest.newBuilder().setService("adder").build());

        awaitStatus(watched, ServingStatus.SERVING);
        service.change("adder", "unload");
        awaitStatus(watched, ServingStatus.NOT_SERVING);
        service.change("adder", "load");
        awaitStatus(watched, ServingStatus.SERVING);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /* The deadline of the call ends it otherwise. */
  private static void awaitStatus(Iterator<HealthCheckResponse> watched, ServingStatus wanted) {
    while (watched.next().getStatus() != wanted) {}
  }

  @Test
  void theExampleOfAModelIsALineThatAShellCanRun() {
    try (var service = new RepositoryService(List.of(), "a b's/1")) {
      assertThat(service.client().get("/", "Accept", "text/html").body())
          .contains("/v2/models/a%20b%27s/infer");
    }
  }

  @Test
  void whereAnyModelIsRequiredTheServiceIsNotReadyWithoutOne() {
    var any = List.of("--engine.repository.token=" + TOKEN, "--engine.models.required=any");
    try (var service = new RepositoryService(any, "adder/1", "picker/1")) {
      service.change("adder", "unload");
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);

      service.change("picker", "unload");
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(503);

      service.change("picker", "load");
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  /// As it is after a start without models, so that one may be swapped for another.
  @Test
  void whereAllModelsAreRequiredTheServiceIsReadyWhenTheLastWasUnloaded() {
    try (var service = RepositoryService.guarded("adder/1")) {
      service.change("adder", "unload");
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  /// The file of a model is larger than any body that is taken.
  @Test
  void aModelsFileOfAnySizeIsAnsweredAlike() {
    try (var service = RepositoryService.guarded("adder/1")) {
      String file = "{\"parameters\":{\"file:1/model.onnx\":\"" + "A".repeat(1 << 20) + "\"}}";
      Answer answer =
          service
              .client()
              .post("/v2/repository/models/adder/load", file, "Authorization", "Bearer " + TOKEN);

      assertThat(answer.status()).isEqualTo(501);
      assertThat(answer.error()).contains("a model's files come from the repository");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "load | configs | unknown parameters ['configs']: this request takes 'config' and no others",
        "unload | all | unknown parameters ['all']: this request takes 'unload_dependents' and no",
      })
  void aParameterThatMeansNothingIsRefusedWithTheOneThatDoes(
      String what, String parameter, String message) {
    try (var service = RepositoryService.guarded("adder/1")) {
      Answer answer =
          service
              .client()
              .post(
                  "/v2/repository/models/adder/" + what,
                  "{\"parameters\":{\"" + parameter + "\":\"{}\"}}",
                  "Authorization",
                  "Bearer " + TOKEN);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.error()).contains(message);
      assertThat(service.index()).containsExactly("adder/1 READY");
    }
  }

  @Test
  void aLoadedModelFromTheRequestItselfIsNotSupported() {
    try (var service = RepositoryService.guarded("adder/1")) {
      Answer answer =
          service
              .client()
              .post(
                  "/v2/repository/models/adder/load",
                  "{\"parameters\":{\"config\":\"{}\",\"file:1/model.onnx\":\"AAAA\"}}",
                  "Authorization",
                  "Bearer " + TOKEN);

      assertThat(answer.status()).isEqualTo(501);
      assertThat(answer.error()).contains("[file:1/model.onnx] are not supported");
      assertThat(
              service
                  .client()
                  .post(
                      "/v2/repository/models/adder/unload",
                      "{\"parameters\":{\"unload_dependents\":true}}",
                      "Authorization",
                      "Bearer " + TOKEN)
                  .status())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | the request must be a JSON object, got an array",
        "null | the request must be a JSON object, got null",
        "{\"parameters\":[]} | 'parameters' must be a JSON object, got an array",
        "{\"parameters\":{\"config\":{}}} | the parameter 'config' must be a string that holds",
        "{\"parameters\":{\"config\":null}} | the parameter 'config' must be a string that holds",
      })
  void aBodyOfAnotherFormIsRefusedWithTheFormThatIsWanted(String body, String message) {
    try (var service = RepositoryService.guarded("adder/1")) {
      Answer answer = load(service, BodyPublishers.ofString(body));

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.error()).startsWith(message);
    }
  }

  private static Answer load(RepositoryService service, BodyPublisher body, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Authorization";
    all[headers.length + 1] = "Bearer " + TOKEN;
    return service.client().post("/v2/repository/models/adder/load", body, all);
  }

  @Test
  void aBodyMayBeCompressed() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      var bytes = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(bytes)) {
        gzip.write("{\"parameters\":{\"configs\":\"\"}}".getBytes(StandardCharsets.UTF_8));
      }
      BodyPublisher body = BodyPublishers.ofByteArray(bytes.toByteArray());

      assertThat(load(service, body, "Content-Encoding", "gzip").error())
          .startsWith("unknown parameters ['configs']");
      assertThat(load(service, BodyPublishers.ofString("{}"), "Content-Encoding", "gzip").error())
          .startsWith("the request's body is not gzip");
      assertThat(load(service, body, "Content-Encoding", "br").status()).isEqualTo(415);
    }
  }
}
