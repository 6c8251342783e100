package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The whole application, with Spring Boot's versions of everything. */
@SpringBootTest(properties = "engine.device=jvm")
@AutoConfigureMockMvc
class ApplicationTest {
  @Autowired MockMvcTester http;

  @Test
  void classifiesADigit() {
    assertThat(
            http.post()
                .uri("/digit")
                .contentType(MediaType.APPLICATION_JSON)
                .content(Seven.json()))
        .hasStatusOk()
        .bodyJson()
        .isEqualTo("{\"digit\":7}");
  }

  @Test
  void aPictureOfAnotherSizeIsTheCallersFault() {
    assertThat(
            http.post()
                .uri("/digit")
                .contentType(MediaType.APPLICATION_JSON)
                .content(Arrays.toString(new float[2 * 28])))
        .hasStatus(HttpStatus.BAD_REQUEST)
        .bodyJson()
        .extractingPath("$.detail")
        .asString()
        .contains("unexpected shape for input 'Input3'");
  }

  @Test
  void aPictureOfNoSizeIsTheCallersFault() {
    assertThat(
            http.post()
                .uri("/digit")
                .contentType(MediaType.APPLICATION_JSON)
                .content(Arrays.toString(new float[28 * 28 + 1])))
        .hasStatus(HttpStatus.BAD_REQUEST)
        .bodyJson()
        .extractingPath("$.detail")
        .asString()
        .contains("has 784 elements");
  }

  @Test
  void healthHasTheEngine() {
    assertThat(http.get().uri("/actuator/health"))
        .hasStatusOk()
        .bodyJson()
        .extractingPath("$.components.engine.components.models.details.mnist-cnn.state")
        .isEqualTo("ready");
  }

  @Test
  void readinessHasTheEngine() {
    assertThat(http.get().uri("/actuator/health/readiness"))
        .hasStatusOk()
        .bodyJson()
        .extractingPath("$.components.engine.status")
        .isEqualTo("UP");
  }

  @Test
  void metersShowThePool() {
    assertThat(http.get().uri("/actuator/metrics/engine.memory.pool.capacity"))
        .hasStatusOk()
        .bodyJson()
        .extractingPath("$.measurements[0].value")
        .isEqualTo(6.7108864E7);
  }

  @Test
  void plansAreShownAsPictures() {
    assertThat(
            http.get()
                .uri("/actuator/plans/mnist-cnn?batch=4")
                .accept(MediaType.valueOf("image/svg+xml")))
        .hasStatusOk()
        .bodyText()
        .contains("<svg");
  }

  @Test
  void thePoolIsShown() {
    assertThat(http.get().uri("/actuator/memorypool"))
        .hasStatusOk()
        .bodyJson()
        .extractingPath("$.statistics.capacityBytes")
        .isEqualTo(67_108_864);
  }
}
