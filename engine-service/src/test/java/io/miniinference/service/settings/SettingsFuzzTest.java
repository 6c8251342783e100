package io.miniinference.service.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.fuzz.Fuzzing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SettingsFuzzTest {

  @Test
  void aChangedFileBesideAModelIsUnderstoodOrRefused() throws Exception {
    assertThat(Fuzzing.run(SettingsFuzz.class, Duration.ofSeconds(1))).isPositive();
  }
}
