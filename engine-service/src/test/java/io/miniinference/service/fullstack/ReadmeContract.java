package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The README's request.
interface ReadmeContract {
  RunningService service();

  @Test
  default void theDigitDrawnForTheReadmeIsASeven() throws IOException {
    var answer = service().client().infer("mnist-cnn", DrawnDigit.request());

    float[] scores = Bundled.values(answer);

    assertThat(Bundled.best(scores, 0)).isEqualTo(7);
  }
}
