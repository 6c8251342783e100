package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;

/// Texts of many lengths to a model with a mask, which are padded alike: they run together, and
/// each is answered as by the same model without padding.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PaddedBatchesTest {
  private static final int REQUESTS = 120;
  private static final int AT_ONCE = 24;
  private static final int LONGEST = 32;
  private static final int MULTIPLE = 16;
  private static final int TURNS = 4;

  @TempDir private static Path repository;

  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() throws IOException {
    text("plain", "mask");
    text("padded", "mask");
    text("unmasked", "ids");
    Files.writeString(
        repository.resolve("padded/model.yaml"), "padding: {sequence: %d}".formatted(MULTIPLE));
    service =
        RunningService.start(
            "engine.device=" + tested.device(),
            "engine.models.required=padded",
            "engine.models.settings.unmasked.padding.sequence=16",
            "engine.specialisations.max=" + TURNS,
            "engine.models.repository=" + repository);
  }

  /* The rows of a table for each character, and the mean of those that `counted` lets count. */
  private static void text(String name, String counted) {
    new OpenModel()
        .longs("ids", "batch,sequence")
        .longs("mask", "batch,sequence")
        .counting("table", 10, 3)
        .list("last", -1)
        .list("first", 1)
        .node("Gather", "table ids", "rows")
        .node("Neg", "rows", "y")
        .node("Cast", counted, "weights", "to=1")
        .node("Cos", "weights", "even")
        .node("Mul", counted.equals("mask") ? "weights weights" : "even even", "counts")
        .node("Unsqueeze", "counts last", "column")
        .node("Mul", "rows column", "kept")
        .node("ReduceSum", "kept first", "sum", "keepdims=0")
        .node("ReduceSum", "counts first", "count")
        .node("Div", "sum count", "mean")
        .output("y", "batch,sequence,3")
        .output("mean", "batch,3")
        .write(repository, name);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  private Answer ask(String model, int batch, int length, int first) {
    String ids = list(batch, length, i -> (first + i * i) % 10);
    String mask = list(batch, length, _ -> 1);
    return service
        .client()
        .infer(
            model,
            "{\"inputs\":[{\"name\":\"ids\",\"datatype\":\"INT64\",\"shape\":[%1$d,%2$d],\"data\":%3$s},{\"name\":\"mask\",\"datatype\":\"INT64\",\"shape\":[%1$d,%2$d],\"data\":%4$s}]}"
                .formatted(batch, length, ids, mask));
  }

  private static String list(int batch, int length, LongUnaryOperator value) {
    return LongStream.range(0, (long) batch * length)
        .map(value)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private JsonNode outputs(String model, int number) {
    Answer answer = ask(model, 1 + number % 2, 1 + number % LONGEST, number);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("outputs");
  }

  @Test
  void textsOfManyLengthsRunTogetherAndEachIsAnsweredAsAlone() throws Exception {
    List<JsonNode> alone = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      alone.add(outputs("plain", i % (2 * LONGEST)));
    }
    long before = service.executions("padded");
    HeldModel busy =
        service.hold(
            "padded",
            turn -> {
              long[] shape = {1, LONGEST + (1L + turn) * MULTIPLE};
              return List.of(shape, shape);
            });
    try (busy;
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<JsonNode>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        int number = i % (2 * LONGEST);
        answers.add(threads.submit(() -> outputs("padded", number)));
      }
      busy.awaitWaiting(AT_ONCE);
      busy.close();
      for (int i = 0; i < REQUESTS; i++) {
        assertThat(answers.get(i).get()).isEqualTo(alone.get(i));
      }
    }
    assertThat(service.executions("padded") - before).isBetween(1L + TURNS, REQUESTS - 1L);
  }

  @Test
  void metadataKeepTheLengthOpenAndABadIndexIsToldByItsRow() {
    JsonNode inputs = service.client().get("/v2/models/padded").json().path("inputs");
    assertThat(inputs.path(0).path("shape").toString()).isEqualTo("[-1,-1]");
    Answer answer = ask("padded", 2, 3, 812_000);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    String bad =
        "{\"inputs\":[{\"name\":\"ids\",\"datatype\":\"INT64\",\"shape\":[2,2],\"data\":[1,2,3,812]},{\"name\":\"mask\",\"datatype\":\"INT64\",\"shape\":[2,2],\"data\":[1,1,1,1]}]}";
    assertThat(service.client().infer("padded", bad).error())
        .contains("index 812 is outside [-10, 9] on axis 0, at row 1");
  }

  @Test
  void aModelThatLooksAtItsPaddingIsNotServedAndSaysWhy() {
    assertThat(service.client().get("/v2/models/unmasked/ready").status()).isNotEqualTo(200);
    assertThat(service.client().get("/actuator/health").body())
        .contains("engine.models.settings.unmasked.padding: a request of sequence=8")
        .contains("padded with zeros to sequence=16, has another answer than alone");
  }
}
