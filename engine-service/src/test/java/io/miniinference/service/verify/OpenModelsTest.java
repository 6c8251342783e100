package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pool.Allocation;
import io.miniinference.pool.MemoryPool;
import io.miniinference.service.fullstack.RunningService;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// The networks with open dimensions over HTTP, each data set of which has another shape.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@Tag("data")
final class OpenModelsTest {
  @Parameter TestedDevice tested;

  @Test
  void eachShapeOfAnOpenNetworkIsAnswered(@TempDir Path repository) {
    try (OpenSuite suite = new OpenSuite("open.zip", repository);
        RunningService service =
            suite.serve("engine.device=" + tested.device(), "engine.pool.capacity=512MB")) {
      assertThat(suite.open()).hasSize(3);
      assertThat(suite.open())
          .flatExtracting(test -> OpenSuite.problem(service.client(), test).stream().toList())
          .isEmpty();
    }
  }

  @Test
  void eachShapeWithinBoundsIsAnsweredInAPoolThatOthersHaveFilled(@TempDir Path repository) {
    try (OpenSuite suite = new OpenSuite("open.zip", repository);
        RunningService service =
            suite.serve(
                "engine.device=" + tested.device(),
                "engine.pool.capacity=64MB",
                "engine.models.settings.encoder_open.bounds.sequence=192",
                "engine.models.settings.rows_cumsum.bounds.sequence=192",
                "engine.models.settings.fcn_open.bounds.height=256",
                "engine.models.settings.fcn_open.bounds.width=256")) {
      MemoryPool pool = service.engine().pool();
      for (long bytes = pool.capacity(); bytes >= 256; bytes /= 2) {
        while (pool.allocate(bytes, "another model") instanceof Allocation) {
          /* all of that size */
        }
      }
      assertThat(pool.statistics().usedBytes()).isEqualTo(pool.capacity());

      assertThat(suite.open())
          .flatExtracting(test -> OpenSuite.problem(service.client(), test).stream().toList())
          .isEmpty();
    }
  }
}
