package example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The whole application on Spring Boot 3.5, with the protobuf of that time. */
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
  void plansNeedNoParameter() {
    assertThat(http.get().uri("/actuator/plans/mnist-cnn")).hasStatusOk();
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
