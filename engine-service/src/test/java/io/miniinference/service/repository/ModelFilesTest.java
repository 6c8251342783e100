package io.miniinference.service.repository;

import static io.miniinference.service.repository.RepositoryService.ADDITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.miniinference.service.catalog.RepositoryChanges;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.LoggedLines;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfigRequest;
import io.miniinference.service.settings.ModelFiles;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/// What lies beside a model decides how it is served.
final class ModelFilesTest {

  @Test
  void aModelsOwnFileIsReadWhenItIsLoaded() throws IOException {
    try (var service = RepositoryService.guarded("adder/1", "adder/2")) {
      write(service, "adder/labels.txt", "one\ntwo\nthree\n");
      write(
          service,
          "adder/model.yaml",
          "max-batch-size: 4\nmax-delay: 3ms\nversions: latest\nlabels: {sum: labels.txt}\n");

      assertThat(service.change("adder", "load").status()).isEqualTo(200);

      JsonNode config = service.client().get("/v2/models/adder/config").json();
      assertThat(config.path("max_batch_size").intValue()).isEqualTo(4);
      assertThat(config.at("/dynamic_batching/max_queue_delay_microseconds").intValue())
          .isEqualTo(3000);
      assertThat(config.at("/output/0/label_filename").stringValue()).isEqualTo("labels.txt");
      assertThat(config.at("/version_policy/specific/versions").toString()).isEqualTo("[2]");
      assertThat(classified(service).at("/outputs/0/data").toString())
          .isEqualTo("[\"4.000000:2:three\",\"3.000000:1:two\"]");
    }
  }

  private static JsonNode classified(RepositoryService service) {
    String outputs = ",\"outputs\":[{\"name\":\"sum\",\"parameters\":{\"classification\":2}}]}";
    String body = ADDITION.substring(0, ADDITION.length() - 1) + outputs;
    return service.client().infer("adder", body).json();
  }

  @Test
  void propertiesGoBeforeTheFileAndTheFileBeforeTritons() throws IOException {
    var options =
        List.of(
            "--engine.repository.token=" + RepositoryService.TOKEN,
            "--engine.models.settings.adder.max-batch-size=2");
    try (var service = new RepositoryService(options, "adder/1", "picker/1")) {
      write(service, "adder/model.yaml", "max-batch-size: 3\n");
      write(service, "picker/model.yaml", "max-batch-size: 5\n");
      write(service, "picker/config.pbtxt", "max_batch_size: 7 instance_group { count: 1 }\n");

      service.change("adder", "load");
      service.change("picker", "unload");
      service.change("picker", "load");

      assertThat(batch(service, "adder")).isEqualTo(2);
      assertThat(batch(service, "picker")).isEqualTo(5);
    }
  }

  private static int batch(RepositoryService service, String model) {
    return service
        .client()
        .get("/v2/models/" + model + "/config")
        .json()
        .path("max_batch_size")
        .intValue();
  }

  @Test
  void aFileThatIsWrongCostsItsModelAlone() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      service.write("picker/1", "");
      write(service, "picker/model.yaml", "max-batchsize: 3\n");

      Client.Answer refused = service.change("picker", "load");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error())
          .contains(
              "picker/model.yaml: unknown key 'max-batchsize'; the nearest is 'max-batch-size'")
          .doesNotContain(service.folder().toString());
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
    }
  }

  @Test
  void theIndexTellsWhatIsWrongWithTheSettingsOfAModel() throws IOException {
    try (var service = RepositoryService.guarded("adder/1", "picker/1")) {
      service.change("adder", "unload");
      service.write("fresh/1", "");
      write(service, "fresh/model.yaml", "max-batchsize: 3\n");

      assertThat(service.change("fresh", "load").status()).isEqualTo(400);
      assertThat(load(service, "{\"max_batch\": 3}").status()).isEqualTo(400);

      assertThat(service.client().post("/v2/repository/index", "").body())
          .contains("failed to load 'fresh': fresh/model.yaml: unknown key 'max-batchsize'")
          .contains("failed to load 'adder': the parameter config: 'max_batch' is no field of a");
      assertThat(service.index())
          .containsExactly("adder/1 UNAVAILABLE", "fresh/1 UNAVAILABLE", "picker/1 READY");
    }
  }

  @Test
  void labelsAreFilesBesideTheModelAndNoOthers() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      for (String file : List.of("../secret.txt", "/etc/hostname", "missing.txt", "..")) {
        write(service, "adder/model.yaml", "labels: {sum: '" + file + "'}\n");

        Client.Answer refused = service.change("adder", "load");

        assertThat(refused.status()).as(file).isEqualTo(400);
        assertThat(refused.error()).contains("labels of output 'sum'", file);
      }
      write(service, "adder/labels.txt", "one\n");
      write(service, "adder/model.yaml", "labels: {some: labels.txt}\n");
      assertThat(service.change("adder", "load").error())
          .contains(
              "labels are set for output 'some', which the model does not have: it has [sum, difference]");
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
    }
  }

  @Test
  void whatTritonsFileSetsInVainIsToldOnceByEachLoad() throws IOException {
    try (var service = RepositoryService.guarded("adder/1", "adder/2")) {
      write(service, "adder/config.pbtxt", "model_warmup { name: 'w' } response_cache { }\n");
      try (var lines = new LoggedLines(ModelFiles.class)) {
        for (int i = 0; i < 3; i++) {
          assertThat(service.change("adder", "unload").status()).isEqualTo(200);
          assertThat(service.change("adder", "load").status()).isEqualTo(200);
          assertThat(service.change("adder", "load").status()).isEqualTo(200);
        }
        assertThat(lines.containing("sets what"))
            .hasSize(3)
            .allSatisfy(line ->
                assertThat(line)
                    .endsWith(
                        "model 'adder': its configuration sets what is not applied:"
                            + " [model_warmup, response_cache]"));
      }
    }
  }

  @Test
  void theFileThatTritonsFileNamesIsTheModel() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      Files.createDirectories(service.folder().resolve("net/1"));
      write(service, "net/1/other.onnx", "");
      write(service, "net/1/net.bin", "");
      write(service, "net/config.pbtxt", "default_model_filename: \"net.bin\"\n");

      assertThat(service.change("net", "load").status()).isEqualTo(200);
      JsonNode config = service.client().get("/v2/models/net/config").json();
      assertThat(config.path("default_model_filename").stringValue()).isEqualTo("net.bin");

      write(service, "net/config.pbtxt", "default_model_filename: \"../net.bin\"\n");
      write(service, "net/net.bin", "");
      Client.Answer refused = service.change("net", "load");

      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.error())
          .contains("the default_model_filename '../net.bin' is not the name of a file");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "backend: 'python' | is for the backend 'python', and only ONNX models are served",
        "platform: 'tensorrt_plan' | is for the backend 'tensorrt_plan', and only ONNX models",
        "platform: 'onnxruntime_onnx' backend: 'dali' | is for the backend 'dali', and only ONNX",
        "platform: 'ensemble' | makes it an ensemble, and ensembles are not run",
        "ensemble_scheduling { step { model_name: 'a' } } | makes it an ensemble, and ensembles are",
      })
  @ExtendWith(OutputCaptureExtension.class)
  void aFolderOfAnotherBackendIsLeftOutWhateverLiesInIt(
      String config, String why, CapturedOutput log) throws IOException {
    Path models = Repositories.of("adder/1", "other/1");
    Files.writeString(models.resolve("other/config.pbtxt"), config + "\n");
    Files.createDirectories(models.resolve("empty/1"));
    Files.writeString(models.resolve("empty/config.pbtxt"), config + "\n");
    var options =
        List.of(
            "--engine.repository.token=" + RepositoryService.TOKEN,
            "--logging.level.io.miniinference.service.catalog=warn");
    try (var service = new RepositoryService(options, models)) {
      assertThat(log).contains("/other is left out of the repository: other/config.pbtxt " + why);
      assertThat(service.index())
          .containsExactly("adder/1 READY", "empty/ UNAVAILABLE", "other/ UNAVAILABLE");
      assertThat(service.client().post("/v2/repository/index", "").body())
          .contains("\"other/config.pbtxt " + why, "\"empty/config.pbtxt " + why);
      Client.Answer load = service.change("other", "load");
      assertThat(load.status()).isEqualTo(404);
      assertThat(load.error()).contains("'other'", "other/config.pbtxt " + why);
      Client.Answer infer = service.client().infer("other", ADDITION);
      assertThat(infer.status()).isEqualTo(404);
      assertThat(infer.error()).contains("left out of the repository at the start: ", why);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "backend: 'onnxruntime'",
        "platform: 'onnxruntime_onnx' backend: 'onnxruntime'",
        "platform: 'onnxv1'",
        "platform: 'onnx_onnxv1'",
        "platform: '' backend: ''",
      })
  void aFolderOfOnnxRuntimeIsServed(String config) throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      write(service, "adder/config.pbtxt", config);

      assertThat(service.change("adder", "load").status()).isEqualTo(200);
    }
  }

  @Test
  void aLoadsOwnConfigurationTakesThePlaceOfTritonsFileUntilTheNextLoad() throws IOException {
    try (var service = RepositoryService.guarded("adder/1", "adder/2")) {
      write(service, "adder/config.pbtxt", "max_batch_size: 3 default_model_filename: 'a.bin'\n");
      String config =
          """
          {"name": "adder", "maxBatchSize": 2, "version_policy": {"latest": {"num_versions": 1}},
           "dynamic_batching": {"max_queue_delay_microseconds": "500"},
           "instance_group": [{"count": 1, "kind": "KIND_CPU"}], "optimization": {"graph": {}}}
          """;
      try (var lines = new LoggedLines(ModelFiles.class)) {
        assertThat(load(service, config).status()).isEqualTo(200);
        assertThat(lines.containing("sets what is not applied: [optimization]")).hasSize(1);
      }
      JsonNode served = service.client().get("/v2/models/adder/config").json();
      assertThat(served.path("max_batch_size").intValue()).isEqualTo(2);
      assertThat(served.at("/version_policy/specific/versions").toString()).isEqualTo("[2]");
      assertThat(served.at("/dynamic_batching/max_queue_delay_microseconds").intValue())
          .isEqualTo(500);

      write(service, "adder/config.pbtxt", "max_batch_size: 3\n");
      assertThat(service.change("adder", "load").status()).isEqualTo(200);
      assertThat(batch(service, "adder")).isEqualTo(3);
      assertThat(service.index()).containsExactly("adder/1 READY", "adder/2 READY");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | the parameter config is not",
        "{ | the parameter config: malformed JSON at line 1, column 2: it ends too early",
        "[] | the parameter config is not an object of JSON",
        "{\"max_batch_size\": \"many\"} | the parameter config: 'max_batch_size' is 'many'",
        "{\"max_batch_size\": 1.5} | the parameter config: 'max_batch_size' is '1.5'",
        "{\"max_batchsize\": 3} | the parameter config: 'max_batchsize' is no field of a model configuration;"
            + " the nearest is 'max_batch_size'",
        "{\"name\": \"addr\"} | its configuration is for a model 'addr': set the name to 'adder', or leave",
        "{\"backend\": \"python\"} | the parameter config is for the backend 'python', and only ONNX",
        "{\"platform\": \"ensemble\"} | the parameter config makes it an ensemble",
        "{\"default_model_filename\": \"../a\"} | default_model_filename is '../a', which no version has; the model's folder has '1/model.onnx'",
        "{\"input\": [{\"name\": \"a\", \"data_type\": \"x y\"}]} | data_type of 'a' is 'x y', which is no",
      })
  void aLoadsOwnConfigurationThatIsWrongChangesNothing(String config, String message) {
    try (var service = RepositoryService.guarded("adder/1")) {
      Client.Answer refused = load(service, config);

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).contains("'adder'", message);
      assertThat(service.client().infer("adder", ADDITION).status()).isEqualTo(200);
    }
  }

  @Test
  void aLoadsOwnConfigurationThatLacksTheNameOfTheFileIsToldWhichThereAre() throws IOException {
    try (var service = RepositoryService.guarded("adder/1")) {
      write(service, "adder/config.pbtxt", "default_model_filename: 'net.bin'\n");
      Path version = service.folder().resolve("adder/1");
      Files.move(version.resolve("model.onnx"), version.resolve("net.bin"));

      Client.Answer refused = load(service, "{}");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error())
          .endsWith(
              "without a default_model_filename the model's file is model.onnx, which no version"
                  + " has; the model's folder has '1/net.bin', 'config.pbtxt'");
      assertThat(load(service, "{\"default_model_filename\": \"net.bin\"}").status())
          .isEqualTo(200);
    }
  }

  @Test
  void aLoadsOwnConfigurationIsBounded() {
    try (var service = RepositoryService.guarded("adder/1")) {
      for (String config :
          List.of(
              "{\"a\":".repeat(65) + "1" + "}".repeat(65), "{\"a\":" + "9".repeat(1001) + "}")) {
        Client.Answer refused = load(service, config);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error())
            .endsWith(
                "the parameter config is nested more than 64 deep, or has a number that is too long");
      }
    }
  }

  @Test
  void namesOfALoadsOwnConfigurationStayOnTheirLineOfTheLog() {
    try (var service = RepositoryService.guarded("adder/1");
        var lines = new LoggedLines(RepositoryChanges.class)) {
      Client.Answer refused = load(service, "{\"a\\\\u000ab\": 1}");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).contains("'a\\u000ab' is no field of a model configuration");
      assertThat(lines.containing("\n")).isEmpty();
    }
  }

  @Test
  void whatOnlyClientsMakeUseOfIsToldAsItIsGiven() throws IOException {
    try (var service = RepositoryService.guarded("adder/1", "picker/1")) {
      String unsaid = service.client().get("/v2/models/adder/config").body();
      write(
          service,
          "adder/config.pbtxt",
          """
          name: 'adder'
          parameters { key: 'FORCE_CPU' value { string_value: 'yes' } }
          parameters: [ { key: 'empty' } ]
          optimization { execution_accelerators { gpu_execution_accelerator { name: 'tensorrt' } } }
          model_warmup { name: 'w' batch_size: 2 inputs { key: 'a' value { dims: 3 zero_data: true } } }
          metric_tags { key: 'team' value: 'vision' }
          dynamic_batching { preferred_batch_size: [ 2, 4 ] priority_levels: 5 default_priority_level: 3 }
          """);
      JsonNode told;
      try (var lines = new LoggedLines(ModelFiles.class)) {
        assertThat(service.change("adder", "load").status()).isEqualTo(200);
        assertThat(lines.containing("sets what is not applied"))
            .singleElement()
            .asString()
            .endsWith(
                "[dynamic_batching.preferred_batch_size, dynamic_batching.priority_levels,"
                    + " metric_tags, model_warmup, optimization, parameters]");
        told = service.client().get("/v2/models/adder/config").json();
      }

      assertThat(unsaid)
          .contains("\"parameters\":{}", "\"batch_input\":[]", "\"batch_output\":[]")
          .contains("\"metric_tags\":{}", "\"cc_model_filenames\":{}", "\"model_warmup\":[]")
          .doesNotContain("optimization", "null");
      assertThat(told.path("parameters").toString())
          .isEqualTo(
              "{\"FORCE_CPU\":{\"string_value\":\"yes\"},\"empty\":{\"string_value\":\"\"}}");
      assertThat(
              told.at("/optimization/execution_accelerators/gpu_execution_accelerator/0")
                  .toString())
          .isEqualTo("{\"name\":\"tensorrt\",\"parameters\":{}}");
      assertThat(told.at("/model_warmup/0/inputs/a").toString())
          .isEqualTo("{\"data_type\":\"TYPE_INVALID\",\"dims\":[3],\"zero_data\":true}");
      assertThat(told.at("/metric_tags/team").stringValue()).isEqualTo("vision");
      assertThat(told.at("/dynamic_batching/preferred_batch_size").toString()).isEqualTo("[2,4]");
      assertThat(told.at("/dynamic_batching/priority_levels").intValue()).isEqualTo(5);
      assertThat(told.at("/dynamic_batching/default_priority_level").intValue()).isEqualTo(3);
      assertThat(grpcConfig(service).getParametersOrThrow("FORCE_CPU").getStringValue())
          .isEqualTo("yes");
    }
  }

  @Test
  void mapsOfALoadsOwnConfigurationAreReadAsJsonHasThem() {
    try (var service = RepositoryService.guarded("adder/1")) {
      String config =
          """
          {"parameters": {"FORCE_CPU": {"stringValue": "yes"}}, "metricTags": {"Team": "vision"}}
          """;
      assertThat(load(service, config).status()).isEqualTo(200);

      JsonNode told = service.client().get("/v2/models/adder/config").json();
      assertThat(told.at("/parameters/FORCE_CPU/string_value").stringValue()).isEqualTo("yes");
      assertThat(told.at("/metric_tags/Team").stringValue()).isEqualTo("vision");
    }
  }

  private static ModelConfig grpcConfig(RepositoryService service) {
    ManagedChannel channel = service.channel();
    try {
      return GRPCInferenceServiceGrpc.newBlockingStub(channel)
          .modelConfig(ModelConfigRequest.newBuilder().setName("adder").build())
          .getConfig();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void withoutBatchingTheConfigurationHasNoneOfIt() {
    var options = List.of("--engine.batching.enabled=false");
    try (var service = new RepositoryService(options, "adder/1")) {
      assertThat(service.client().get("/v2/models/adder/config").json().has("dynamic_batching"))
          .isFalse();
    }
  }

  private static Client.Answer load(RepositoryService service, String config) {
    String escaped = config.replace("\"", "\\\"").replace("\n", "\\n");
    return service
        .client()
        .post(
            "/v2/repository/models/adder/load",
            "{\"parameters\":{\"config\":\"" + escaped + "\"}}",
            "Authorization",
            "Bearer " + RepositoryService.TOKEN);
  }

  private static void write(RepositoryService service, String file, String text)
      throws IOException {
    Files.writeString(service.folder().resolve(file), text);
  }
}
