package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;

/// Requests of many clients to models with open sizes: those of equal sizes run together, each is
/// answered as alone to the bit, and one with a bad index fails alone.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenBatchesTest {
  private static final int REQUESTS = 600;
  private static final int AT_ONCE = 48;
  private static final int BAD_EVERY = 20;
  private static final int[] LENGTHS = {3, 7, 16};
  private static final int UNLIKE_OTHERS = 20;

  @TempDir private static Path repository;

  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() {
    new OpenModel()
        .longs("ids", "batch,sequence")
        .counting("table", 10, 8)
        .counting("weights", 8, 16)
        .node("Gather", "table ids", "rows")
        .node("MatMul", "rows weights", "wide")
        .node("Softmax", "wide", "shares", "axis=1")
        .node("MatMul", "shares turned", "y")
        .counting("turned", 16, 4)
        .output("y", "batch,sequence,4")
        .write(repository, "text");
    new OpenModel()
        .floats("x", "batch,width")
        .node("CumSum", "x axis", "y")
        .list("axis", 0)
        .output("y", "batch,width")
        .write(repository, "across");
    service =
        RunningService.start(
            "engine.device=" + tested.device(),
            "engine.batching.max-size=32",
            "engine.models.repository=" + repository);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  @Test
  void requestsOfEqualSizesRunTogetherAndEachIsAnsweredAsAloneToTheBit() throws Exception {
    long seed = new Random().nextLong();
    Map<String, JsonNode> alone = new HashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      alone.computeIfAbsent(body(i, seed), body -> text(body).json().path("outputs"));
    }
    long before = service.executions("text");

    HeldModel busy = service.hold("text", turn -> List.of(new long[] {1, UNLIKE_OTHERS + turn}));
    try (busy) {
      all(() -> release(busy), i -> i % BAD_EVERY == 0 ? bad(i, seed) : same(i, seed, alone));
    }

    assertThat(service.executions("text") - before)
        .as("runs, seed %d", seed)
        .isBetween(1L, REQUESTS - 1L);
  }

  private Void same(int i, long seed, Map<String, JsonNode> alone) {
    String body = body(i, seed);
    assertThat(text(body).json().path("outputs")).isEqualTo(alone.get(body));
    return null;
  }

  private Void bad(int i, long seed) {
    Answer answer = text(body(i, seed).replaceFirst("data\":\\[\\d", "data\":[812"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).contains("index 812 is outside").contains("at row 0, position 0");
    return null;
  }

  private Answer text(String body) {
    return service.client().infer("text", body);
  }

  private static String body(int i, long seed) {
    Random random = new Random(seed + i % 40);
    int rows = random.nextInt(1, 3);
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    return input("ids", "INT64", rows, length, random.nextInt(9));
  }

  private static String input(String name, String type, int rows, int length, int first) {
    String data =
        LongStream.range(0, (long) rows * length)
            .mapToObj(at -> Long.toString((first + at * at) % 10))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"inputs\":[{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%d,%d],\"data\":%s}]}"
        .formatted(name, type, rows, length, data);
  }

  @Test
  void requestsWhoseRowsDependOnEachOtherRunAlone() throws Exception {
    String body = input("x", "FP32", 2, 5, 1);
    JsonNode alone = service.client().infer("across", body).json().path("outputs");
    long before = service.executions("across");

    all(
        () -> {},
        _ -> {
          Answer answer = service.client().infer("across", body);
          assertThat(answer.json().path("outputs")).as(answer.body()).isEqualTo(alone);
          return null;
        });

    assertThat(service.executions("across") - before).isEqualTo(REQUESTS);
  }

  private interface Asked {
    Void ask(int number);
  }

  private static void release(HeldModel busy) {
    busy.awaitWaiting(AT_ONCE);
    busy.close();
  }

  private static void all(Runnable afterSending, Asked asked) throws Exception {
    List<Future<?>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < REQUESTS; i++) {
        int number = i;
        answers.add(threads.submit(() -> asked.ask(number)));
      }
      afterSending.run();
      for (Future<?> answer : answers) {
        answer.get();
      }
    }
  }
}
