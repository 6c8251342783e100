package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.fullstack.RunningService;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The operator tests with open dimensions over HTTP, on the JVM device.
@Tag("data")
final class OpenOperatorsTest {
  /// What the library passes, the service answers.
  @Test
  void operatorsWithOpenDimensionsAreAnsweredAsTheLibraryDoes(@TempDir Path repository) {
    try (OpenSuite suite = new OpenSuite("onnx-node.zip", repository);
        RunningService service = suite.serve("engine.device=jvm", "engine.pool.capacity=512MB")) {
      List<TestModel> passed =
          suite.open().stream()
              .filter(test -> ModelCheck.of(service.engine(), test).isPassed())
              .toList();
      assertThat(passed).hasSizeGreaterThanOrEqualTo(197);
      assertThat(passed)
          .flatExtracting(test -> OpenSuite.problem(service.client(), test).stream().toList())
          .isEmpty();
    }
  }
}
