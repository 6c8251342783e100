package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.fuzz.Fuzzing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CacheFuzzTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  @Test
  void aChangedProgramIsNotTakenForTheOneThatWasStored() throws Exception {
    assertThat(Fuzzing.run(ProgramCacheFuzz.class, MOMENT)).isPositive();
  }

  @Test
  void aChangedFileOfPoclsCacheIsRemovedAndAChangedListFailsNoStart() throws Exception {
    assertThat(Fuzzing.run(CacheInventoryFuzz.class, MOMENT)).isPositive();
  }
}
