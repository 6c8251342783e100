package io.miniinference.service.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the service says of itself: the protocol's metadata and health, and Actuator.
final class EndpointsTest extends HeapServiceTest {

  @Test
  void theServerAndItsModelsDescribeThemselves() {
    assertThat(client().get("/v2").json().path("name").stringValue())
        .isEqualTo("mini-inference-engine");
    assertThat(client().get("/v2/models").body()).startsWith("{\"models\":[\"adder\",");
    assertThat(client().get("/v2/models/adder").body())
        .isEqualTo(
            """
            {"name":"adder","versions":["12"],"platform":"onnx_onnxv1","inputs":[\
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
