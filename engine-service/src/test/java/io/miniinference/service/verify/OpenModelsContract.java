package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.fullstack.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The networks with open dimensions over HTTP, each data set of which has another shape.
@Tag("data")
abstract class OpenModelsContract {
  abstract String device();

  @Test
  void eachShapeOfAnOpenNetworkIsAnswered(@TempDir Path repository) {
    try (OpenSuite suite = new OpenSuite("open.zip", repository);
        RunningService service =
            suite.serve("engine.device=" + device(), "engine.pool.capacity=512MB")) {
      assertThat(suite.open()).hasSize(3);
      assertThat(suite.open())
          .flatExtracting(test -> OpenSuite.problem(service.client(), test).stream().toList())
          .isEmpty();
    }
  }
}
