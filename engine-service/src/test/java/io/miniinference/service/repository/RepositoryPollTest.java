package io.miniinference.service.repository;

import static io.miniinference.service.repository.RepositoryService.ADDITION;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A repository that is looked at now and then.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class RepositoryPollTest {

  @Test
  void whatComesChangesOrGoesIsServedReplacedOrUnloaded() {
    var options =
        List.of(
            "--engine.repository.poll=100ms",
            "--engine.repository.token=" + RepositoryService.TOKEN);
    try (var service = new RepositoryService(options, "adder/1", "picker/1")) {
      service.write("adder/2", "");
      until(() -> version(service).equals("2"));

      service.write("overflowing/1", "");
      until(() -> service.index().contains("overflowing/1 UNAVAILABLE"));

      service.delete("adder/2");
      until(() -> version(service).equals("1"));

      service.delete("picker");
      until(() -> service.index().stream().noneMatch(line -> line.startsWith("picker/")));
      assertThat(service.pool().statistics().usedBytes()).isEqualTo(4096);
    }
  }

  @Test
  void theFirstModelOfAnEmptyRepositoryIsServedWhenItComes() {
    var options = List.of("--engine.repository.poll=100ms", "--engine.models.required=any");
    try (var service = new RepositoryService(options)) {
      assertThat(service.client().get("/v2/health/ready").status()).isEqualTo(503);

      service.write("adder/1", "");

      until(() -> service.client().get("/v2/health/ready").status() == 200);
      assertThat(version(service)).isEqualTo("1");
    }
  }

  private static String version(RepositoryService service) {
    return service.client().infer("adder", ADDITION).json().path("model_version").stringValue();
  }

  private static void until(BooleanSupplier reached) {
    while (!reached.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }
}
