package io.miniinference.service.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.fuzz.FuzzTarget;
import io.miniinference.testing.fuzz.Fuzzing;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestFuzzTest {
  private static final Duration MOMENT = Duration.ofSeconds(2);

  @ParameterizedTest
  @ValueSource(
      classes = {
        JsonBodyFuzz.class,
        PredictBodyFuzz.class,
        BinaryBodyFuzz.class,
        HttpWireFuzz.class,
        GrpcMessageFuzz.class,
        GrpcWireFuzz.class
      })
  void whateverIsSentIsAnsweredOrRefused(Class<? extends FuzzTarget> target) throws Exception {
    assertThat(Fuzzing.run(target, MOMENT)).isPositive();
  }
}
