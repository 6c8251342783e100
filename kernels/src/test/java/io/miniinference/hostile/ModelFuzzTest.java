package io.miniinference.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.fuzz.Fuzzing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ModelFuzzTest {

  @Test
  void aChangedModelIsLoadedOrRefusedByName() throws Exception {
    assertThat(Fuzzing.run(ModelFuzz.class, Duration.ofSeconds(8))).isPositive();
  }
}
