package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pool.Allocation;
import io.miniinference.pool.MemoryPool;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// Models whose open sizes have bounds, over HTTP, in a pool that is full: what was promised is
/// served, and what was not is refused with the figures.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BoundsTest {
  private static final int LONGEST = 500;

  @TempDir private static Path repository;

  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() throws IOException {
    text("text");
    text("tight");
    text("unbound");
    Files.writeString(
        repository.resolve("text/model.yaml"), "bounds: {sequence: %d}".formatted(LONGEST));
    service =
        RunningService.start(
            "engine.device=" + tested.device(),
            "engine.pool.capacity=1MB",
            "engine.batching.max-size=8",
            "engine.models.required=text",
            "engine.models.settings.tight.bounds.sequence=1000000",
            "engine.models.repository=" + repository);
    fill(service.engine().pool());
  }

  private static void text(String name) {
    new OpenModel()
        .longs("ids", "batch,sequence")
        .counting("table", 10, 2)
        .node("Gather", "table ids", "rows")
        .node("Neg", "rows", "y")
        .output("y", "batch,sequence,2")
        .write(repository, name);
  }

  /* All that is free or held, in whatever pieces, as models that come later would take it. */
  private static void fill(MemoryPool pool) {
    for (long bytes = pool.capacity(); bytes >= 256; bytes /= 2) {
      while (pool.allocate(bytes, "another model") instanceof Allocation) {
        /* all of that size */
      }
    }
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  private Answer ask(String model, int batch, int length) {
    String data =
        IntStream.range(0, batch * length)
            .mapToObj(i -> Integer.toString(i % 10))
            .collect(Collectors.joining(",", "[", "]"));
    return service
        .client()
        .infer(
            model,
            "{\"inputs\":[{\"name\":\"ids\",\"datatype\":\"INT64\",\"shape\":[%d,%d],\"data\":%s}]}"
                .formatted(batch, length, data));
  }

  private void check(int batch, int length) {
    Answer answer = ask("text", batch, length);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var data = answer.json().path("outputs").path(0).path("data");
    assertThat(data.size()).isEqualTo(2 * batch * length);
    for (int i = 0; i < data.size(); i++) {
      assertThat(data.path(i).doubleValue()).isEqualTo(-(i % 20.0));
    }
  }

  @Test
  void whatWasPromisedIsServedInAPoolThatIsFull() {
    check(8, LONGEST);
    check(8, 1);
    check(1, LONGEST);
    check(3, 77);
  }

  @Test
  void whatWasNotPromisedIsRefusedWithTheFiguresAndTheProperty() {
    Answer longer = ask("text", 1, LONGEST + 1);
    assertThat(longer.status()).isEqualTo(400);
    assertThat(longer.error())
        .isEqualTo(
            "input 'ids' has size 501 on axis 1, and model 'text' takes at most 500 of 'sequence'"
                + " (engine.models.settings.text.bounds.sequence)");
    Answer more = ask("unbound", 1, 100);
    assertThat(more.status()).isEqualTo(503);
    assertThat(more.error())
        .contains("of 1048576 bytes", "in the largest piece", "engine.pool.capacity")
        .contains("engine.models.settings.unbound.bounds keeps room for the largest sizes");
    assertThat(more.header("Retry-After")).isEqualTo("1"); // other models may leave
    check(2, 3);
  }

  @Test
  void aPromiseThatThePoolCannotKeepRefusesTheLoadWithTheFigures() {
    Answer refused = service.client().get("/v2/models/tight/ready");
    assertThat(refused.status()).isNotEqualTo(200);
    String health = service.client().get("/actuator/health").body();
    assertThat(health)
        .contains("does not fit the pool: it needs ")
        .contains(" bytes for batches up to 1 of sequence=1000000, its bounds (weights ")
        .contains("the pool of 1,048,576 has")
        .contains("Smaller bounds (engine.models.settings.tight.bounds)");
  }

  @Test
  void whatIsReservedIsToldBeforeTheFirstRequest() {
    Answer plan = service.client().get("/actuator/plans/text?batch=8");
    assertThat(plan.status()).as(plan.body()).isEqualTo(200);
    long reserved = plan.json().path("reservedBytes").longValue();
    long planned = plan.json().path("plannedBytes").longValue();
    assertThat(planned).isGreaterThanOrEqualTo(8L * LONGEST * 16).isLessThan(reserved);
    long promised =
        service
            .client()
            .get("/actuator/metrics/engine.specialisations.promised?tag=model:text")
            .json()
            .path("measurements")
            .path(0)
            .path("value")
            .longValue();
    assertThat(promised).isGreaterThanOrEqualTo(planned).isLessThan(reserved);
    assertThat(
            service
                .client()
                .get("/v2/models/text/stats")
                .json()
                .path("model_stats")
                .path(0)
                .path("memory_usage")
                .path(0)
                .path("byte_size")
                .longValue())
        .isEqualTo(reserved);
  }
}
