package io.miniinference.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.fuzz.Fuzzing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PropertiesFuzzTest {

  @Test
  void changedPropertiesAreTakenOrRefused() throws Exception {
    assertThat(Fuzzing.run(PropertiesFuzz.class, Duration.ofSeconds(1))).isPositive();
  }
}
