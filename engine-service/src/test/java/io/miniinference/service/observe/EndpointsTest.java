package io.miniinference.service.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// What the service says of itself: the protocol's metadata and health, and Actuator. Its service
/// is its own: others' requests would be in the series.
@TestPropertySource(properties = "spring.application.name=endpoints")
final class EndpointsTest extends HeapServiceTest {

  @Test
  void theServerAndItsModelsDescribeThemselves() {
    assertThat(client().get("/v2").json().path("name").stringValue())
        .isEqualTo("mini-inference-engine");
    assertThat(client().get("/v2/models").body()).startsWith("{\"models\":[\"adder\",");
    assertThat(client().get("/v2/models/adder").body())
        .isEqualTo(
            """
            {"name":"adder","versions":["3","12"],"platform":"onnxruntime_onnx","inputs":[\
            {"name":"a","datatype":"FP32","shape":[-1,3]},{"name":"b","datatype":"FP32","shape":[-1,3]}],\
            "outputs":[{"name":"sum","datatype":"FP32","shape":[-1,3]},\
            {"name":"difference","datatype":"FP32","shape":[-1,3]}]}\
            """);
    assertThat(client().get("/v2/models/adder/versions/12").status()).isEqualTo(200);
  }

  @Test
  void modelsAreReadyByNameAndVersion() {
    assertThat(client().get("/v2/models/adder/ready").body())
        .isEqualTo("{\"name\":\"adder\",\"ready\":true}");
    assertThat(client().get("/v2/models/adder/versions/12/ready").status()).isEqualTo(200);
    assertThat(client().get("/v2/models/adder/versions/4/ready").status()).isEqualTo(404);
    assertThat(client().get("/v2/models/nobody/ready").status()).isEqualTo(404);
    assertThat(client().get("/v2/models/nobody").error()).contains("'nobody' is not found");
  }

  @Test
  void theServiceIsLiveAndReady() {
    assertThat(client().get("/v2/health/live").body()).isEqualTo("{\"live\":true}");
    assertThat(client().get("/v2/health/ready").body()).isEqualTo("{\"ready\":true}");
    assertThat(client().get("/actuator/health/liveness").status()).isEqualTo(200);
    assertThat(client().get("/actuator/health/readiness").json().path("components").propertyNames())
        .containsExactlyInAnyOrder("device", "models", "pool", "readinessState");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nobody", "nobody/nothing", "pool/nothing", "models/a/b", "readiness/a/b"})
  void healthOfWhatIsNotThereIsNotFound(String path) {
    assertThat(client().get("/actuator/health/" + path).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "application/json", "text", ""})
  void clientsOfKServesV1HearThatTheServiceIsAlive(String accept) {
    Answer answer = accept.isEmpty() ? client().get("/") : client().get("/", "Accept", accept);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.body()).isEqualTo("{\"status\":\"alive\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
      })
  void browsersGetAPage(String accept) {
    Answer answer = client().get("/", "Accept", accept);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(answer.body()).startsWith("<!doctype html>").contains("<h2>adder</h2>");
  }

  @Test
  void thePoolIsShownAsJsonAndAsText() {
    Answer json = client().get("/actuator/memorypool");
    Answer text = client().get("/actuator/memorypool", "Accept", "text/plain");

    assertThat(json.json().path("statistics").path("capacityBytes").longValue()).isEqualTo(1 << 20);
    assertThat(json.json().path("map").path("blocks").size()).isPositive();
    assertThat(text.body()).contains("capacity 1,048,576 bytes", "\"adder\"");
  }

  @Test
  void aPlanIsShownAsJsonAsAPictureAndAsText() {
    String path = "/actuator/plans/adder";

    assertThat(client().get("/actuator/plans").body()).contains("\"adder\"");
    assertThat(client().get(path).body()).isEqualTo("{\"model\":\"adder\",\"batch\":1}");
    assertThat(client().get(path + "?batch=4").body()).contains("\"batch\":4");
    assertThat(client().get(path, "Accept", "image/svg+xml").body()).startsWith("<svg ");
    assertThat(client().get(path, "Accept", "image/svg+xml").header("content-type"))
        .startsWith("image/svg+xml");
    assertThat(client().get(path, "Accept", "text/plain").body()).startsWith("plan of adder");
    assertThat(client().get(path + "?batch=9").status()).isEqualTo(400);
    assertThat(client().get("/actuator/plans/nobody").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory.pool.capacity",
        "memory.pool.used",
        "memory.pool.held",
        "memory.pool.free",
        "memory.pool.peak",
        "memory.pool.largest.free",
        "memory.pool.fragmentation",
        "memory.pool.blocks",
        "device.kernels"
      })
  void aGaugeHasAValue(String name) {
    Answer meter = client().get("/actuator/metrics/" + name);

    assertThat(meter.status()).isEqualTo(200);
    assertThat(meter.json().path("measurements").path(0).path("value").isNumber()).isTrue();
  }

  @Test
  void requestsAreCountedByOutcomeAndFailuresByKind() {
    String bad =
        "{\"inputs\":[{\"name\":\"indices\",\"shape\":[1],\"datatype\":\"INT64\",\"data\":[99]}]}";

    assertThat(client().infer("picker", bad).status()).isEqualTo(400);
    assertThat(client().infer("picker", bad.replace("99", "9")).status()).isEqualTo(200);
    assertThat(client().infer("picker", "{").status()).isEqualTo(400);

    String requests = "inference_requests_seconds_count{model=\"picker\",outcome=\"";
    assertThat(client().get("/actuator/prometheus").body())
        .contains("inference_failures_total{kind=\"index_out_of_bounds\"}")
        .contains(requests + "failed\",version=\"1\"}")
        .contains(requests + "success\",version=\"1\"}")
        .contains(requests + "invalid\",version=\"1\"}")
        .contains("inference_requests_seconds_bucket{")
        .contains("inference_compute_seconds_count{model=\"picker\"");
  }

  @Test
  void dashboardsOfTritonFindItsNames() {
    client().infer("scalar", "{");

    String scraped = client().get("/actuator/prometheus").body();
    String labels = "{model=\"scalar\",version=\"1\"}";
    for (String name :
        List.of(
            "count",
            "exec_count",
            "request_success",
            "pending_request_count",
            "request_duration_us",
            "queue_duration_us",
            "compute_input_duration_us",
            "compute_infer_duration_us",
            "compute_output_duration_us")) {
      assertThat(scraped).contains("\nnv_inference_" + name + labels + " 0.0\n");
    }
    assertThat(scraped)
        .containsPattern(
            "nv_inference_request_failure\\{model=\"scalar\",reason=\"OTHER\",version=\"1\"} [1-9]")
        .contains("{model=\"scalar\",reason=\"REJECTED\",version=\"1\"} 0.0")
        .contains("{model=\"scalar\",reason=\"CANCELED\",version=\"1\"} 0.0")
        .contains("{model=\"scalar\",reason=\"BACKEND\",version=\"1\"} 0.0");
  }

  @Test
  void dashboardsOfTritonFindProcessorsAndMemory() {
    assertThat(client().get("/actuator/prometheus").body())
        .containsPattern("\nnv_cpu_utilization [01]\\.")
        .containsPattern("\nnv_cpu_memory_total_bytes [1-9]")
        .containsPattern("\nnv_cpu_memory_used_bytes [1-9]");
  }

  @Test
  void anInferenceIsARequestOverHttpLikeAnyOther() {
    client().infer("scalar", "{");
    client().get("/v2");

    String series =
        "http_server_requests_seconds_count{error=\"none\",exception=\"none\",method=\"%s\",outcome=\"%s\",status=\"%d\",uri=\"%s\"}";
    assertThat(client().get("/actuator/prometheus").body())
        .contains(series.formatted("POST", "CLIENT_ERROR", 400, "/v2/models/{model}/infer"))
        .contains(series.formatted("GET", "SUCCESS", 200, "/v2"));
  }

  @Test
  void everyModelHasItsSeriesBeforeItsFirstRequestAndEverySeriesItsHelp() {
    String scraped = client().get("/actuator/prometheus").body();

    for (String series :
        List.of(
            "engine_model_ready{model=\"scalar\"} 1.0",
            "engine_model_load_seconds{model=\"scalar\"}",
            "engine_model_batch_max{model=\"scalar\"}",
            "engine_model_bytes{kind=\"weights\",model=\"scalar\"}",
            "engine_model_bytes{kind=\"arenas\",model=\"scalar\"}",
            "engine_model_bytes{kind=\"held\",model=\"scalar\"}",
            "engine_model_rows_total{model=\"scalar\"} 0.0",
            "engine_model_inflight{model=\"scalar\"} 0.0",
            "engine_model_queue_seconds_count{model=\"scalar\"} 0",
            "engine_model_queue_seconds_bucket{model=\"scalar\",le=\"1.0E-5\"} 0",
            "engine_model_failures_total{kind=\"index_out_of_bounds\",model=\"scalar\"} 0.0",
            "engine_model_failures_total{kind=\"division_by_zero\",model=\"scalar\"} 0.0",
            "engine_requests_seconds_count{model=\"scalar\",outcome=\"success\",version=\"1\"} 0",
            "engine_requests_seconds_count{model=\"scalar\",outcome=\"refused\",version=\"1\"} 0",
            "engine_compute_seconds_count{model=\"scalar\",version=\"1\"} 0",
            "engine_compute_seconds_bucket{model=\"scalar\",version=\"1\",le=\"1.0E-5\"} 0",
            "engine_memory_pool_capacity_bytes 1048576.0",
            "engine_memory_pool_used_bytes",
            "engine_device_kernels",
            "engine_planner_fallbacks")) {
      assertThat(scraped).contains("\n" + series);
    }
    assertThat(scraped.lines().filter(line -> line.matches("# HELP engine_\\S+ *")))
        .as("meters without a word of help")
        .isEmpty();
  }

  @Test
  void whatRunsAndOnWhatIsToldInInfo() {
    var info = client().get("/actuator/info").json();

    assertThat(info.at("/engine/version").stringValue()).matches("\\d+\\.\\d+.*");
    assertThat(info.at("/engine/commit").stringValue()).isNotBlank();
    assertThat(info.at("/device/name").stringValue()).isEqualTo("heap");
    assertThat(info.at("/device/kind").stringValue()).isEqualTo("JVM");
  }

  @Test
  void requestsShowInTheSeriesOfTheirModel() {
    String two =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[3,2],\"datatype\":\"UINT64\",\"data\":[1,2,3,4,5,6]}]}";
    double before = rows("same-u64");

    assertThat(client().infer("same-u64", two).status()).isEqualTo(200);

    assertThat(rows("same-u64") - before).isEqualTo(3);
    assertThat(client().get("/actuator/prometheus").body())
        .contains("engine_model_inflight{model=\"same-u64\"} 0.0");
  }

  private double rows(String model) {
    return client()
        .get("/actuator/metrics/engine.model.rows?tag=model:" + model)
        .json()
        .at("/measurements/0/value")
        .doubleValue();
  }

  @Test
  void aBrowserSeesAPageWithTheModelsAndTheirPlans() {
    Answer page = client().get("/", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    String base = "src=\"http://localhost:" + port();

    assertThat(page.header("content-type")).startsWith("text/html");
    assertThat(page.body())
        .contains("<h2>adder</h2>", "version 12", base + "/actuator/plans/adder?format=svg\"")
        .contains("/v2/models/adder/infer");
    assertThat(client().get("/actuator/plans/adder?format=svg").header("content-type"))
        .startsWith("image/svg+xml");
    assertThat(client().get("/actuator/plans/adder?format=png").status()).isEqualTo(400);
  }

  @Test
  void nothingThatActuatorShowsCanBeWritten() {
    assertThat(client().get("/actuator").json().path("_links").propertyNames())
        .allMatch(name -> name.matches("self|(health|info|metrics|prometheus|memorypool|plans).*"));
    String opened = "{\"updateState\":\"FORCE_OPEN\"}";
    for (String path : List.of("circuitbreakers/adder", "memorypool", "plans/adder", "health")) {
      Answer answer =
          client().post("/actuator/" + path, opened, "Content-Type", "application/json");
      assertThat(answer.status()).as(path).isIn(404, 405);
    }
    assertThat(client().get("/actuator/circuitbreakers").status()).isEqualTo(404);
  }
}
