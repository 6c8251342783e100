package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What the server and its models say of themselves.
final class DescriptionTest extends HeapServiceTest {

  @Test
  void theServerListsTheExtensionsThatItSpeaks() {
    JsonNode server = client().get("/v2").json();

    assertThat(server.path("extensions").toString())
        .isEqualTo(
            "[\"binary_tensor_data\",\"classification\",\"model_configuration\",\"model_repository\",\"model_repository(unload_dependents)\",\"parameters\",\"schedule_policy\",\"statistics\"]");
    assertThat(client().get("/v2/").json()).isEqualTo(server);
  }

  @Test
  void aModelHasAConfiguration() {
    JsonNode config = client().get("/v2/models/adder/config").json();

    assertThat(config.path("name").stringValue()).isEqualTo("adder");
    assertThat(config.path("max_batch_size").intValue()).isEqualTo(8);
    assertThat(config.path("input").path(1).toString())
        .contains(
            "\"name\":\"b\"", "\"data_type\":\"TYPE_FP32\"", "\"dims\":[3]", "\"optional\":false");
    assertThat(config.path("output").path(0).path("dims").toString()).isEqualTo("[3]");
    assertThat(config.path("version_policy").path("specific").path("versions").toString())
        .isEqualTo("[3,12]");
    assertThat(config.path("dynamic_batching").path("max_queue_delay_microseconds").intValue())
        .isZero();
    assertThat(config.path("model_transaction_policy").path("decoupled").booleanValue()).isFalse();
    assertThat(client().get("/v2/models/scalar/config").json().path("max_batch_size").intValue())
        .isZero();
    assertThat(client().get("/v2/models/adder/versions/12/config").status()).isEqualTo(200);
    assertThat(client().get("/v2/models/adder/versions/3/config").status()).isEqualTo(200);
    assertThat(client().get("/v2/models/adder/versions/4/config").status()).isEqualTo(404);
    assertThat(client().get("/v2/models/adder").json().path("versions").toString())
        .isEqualTo("[\"3\",\"12\"]");
    assertThat(client().get("/v2/models/adder/versions/3").json().path("versions").toString())
        .isEqualTo("[\"3\"]");
  }

  @Test
  void aModelCountsItsRequestsRowsAndFailures() {
    JsonNode before = statistics("same-u16");
    infer("[[1,2],[3,4]]", "[2,2]");
    infer("[[1,2]]", "[1,2]");
    infer("[[1,2]]", "[9,9]");
    JsonNode after = statistics("same-u16");

    assertThat(grown(before, after, "inference_count")).isEqualTo(3);
    assertThat(grown(before, after, "execution_count")).isEqualTo(2);
    assertThat(after.path("last_inference").longValue()).isPositive();
    assertThat(after.path("inference_stats").path("success").path("count").longValue())
        .isEqualTo(before.path("inference_stats").path("success").path("count").longValue() + 2);
    assertThat(after.path("inference_stats").path("fail").path("count").longValue())
        .isEqualTo(before.path("inference_stats").path("fail").path("count").longValue() + 1);
    assertThat(after.path("inference_stats").path("compute_infer").path("ns").longValue())
        .isPositive();
    assertThat(after.path("batch_stats").toString()).contains("\"batch_size\":2");
    assertThat(after.path("memory_usage").path(0).path("byte_size").longValue()).isEqualTo(4096);
    assertThat(client().get("/v2/models/stats").json().path("model_stats").size())
        .isGreaterThan(10);
  }

  @Test
  void statisticsAreOfAllVersionsOrOfTheOneThatIsNamed() {
    JsonNode all = client().get("/v2/models/adder/stats").json().path("model_stats");
    JsonNode one = client().get("/v2/models/adder/versions/3/stats").json().path("model_stats");

    assertThat(all.values())
        .extracting(of -> of.path("version").asString())
        .containsExactly("3", "12");
    assertThat(one.values()).extracting(of -> of.path("version").asString()).containsExactly("3");
  }

  private void infer(String data, String shape) {
    client()
        .infer(
            "same-u16",
            "{\"inputs\":[{\"name\":\"x\",\"shape\":%s,\"datatype\":\"UINT16\",\"data\":%s}]}"
                .formatted(shape, data));
  }

  private static long grown(JsonNode before, JsonNode after, String key) {
    return after.path(key).longValue() - before.path(key).longValue();
  }

  private JsonNode statistics(String model) {
    return client().get("/v2/models/" + model + "/stats").json().path("model_stats").path(0);
  }

  @ParameterizedTest
  @CsvSource({
    "/v2/systemsharedmemory/status, shared memory is not supported",
    "/v2/systemsharedmemory/region/in/register, shared memory is not supported",
    "/v2/cudasharedmemory/unregister, shared memory is not supported",
    "/v2/logging, logging.level",
    "/v2/trace/setting, management.tracing",
    "/v2/models/adder/trace/setting, management.tracing",
    "/v2/models/adder/generate, /infer",
    "/v2/models/adder/versions/3/generate_stream, /infer",
  })
  void whatOnlyTritonHasIsToldFromAWrongPath(String path, String instead) {
    assertThat(List.of(client().get(path), client().post(path, "{}")))
        .allSatisfy(answer -> {
          assertThat(answer.status()).isEqualTo(501);
          assertThat(answer.error()).contains(instead);
        });
    assertThat(client().get("/v2/sharedmemory").status()).isEqualTo(404);
  }

  @Test
  void theRepositoryHasAnIndexAndIsNotChangedOverTheApi() {
    Answer all = client().post("/v2/repository/index", "");
    Answer ready = client().post("/v2/repository/index", "{\"ready\":true}");
    Answer load = client().post("/v2/repository/models/adder/load", "{}");

    assertThat(all.body()).contains("{\"name\":\"adder\",\"version\":\"12\",\"state\":\"READY\"}");
    assertThat(ready.json().size()).isEqualTo(all.json().size());
    assertThat(client().post("/v2/repository/index", "{\"ready\":1}").status()).isEqualTo(400);
    assertThat(load.status()).isEqualTo(400);
    assertThat(load.error()).contains("not loaded or unloaded over the API");
  }
}
