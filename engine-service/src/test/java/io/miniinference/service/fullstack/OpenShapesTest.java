package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Models with open dimensions over HTTP: whatever a request leaves open is served, and what does
/// not fit is refused in Triton's words.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenShapesTest {
  @TempDir private static Path repository;

  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() {
    new OpenModel()
        .longs("ids", "batch,sequence")
        .counting("table", 10, 2)
        .node("Gather", "table ids", "y")
        .output("y", "batch,sequence,2")
        .write(repository, "text");
    new OpenModel()
        .floats("x", "N,M")
        .node("Neg", "x", "y")
        .output("y", "N,M")
        .write(repository, "matrix");
    new OpenModel()
        .floats("a", "batch,left")
        .floats("b", "batch,right")
        .node("Concat", "a b", "y", "axis=1")
        .output("y", "batch,both")
        .write(repository, "different");
    new OpenModel()
        .floats("a", "batch,width")
        .floats("b", "batch,width")
        .node("Add", "a b", "y")
        .output("y", "batch,width")
        .write(repository, "same");
    new OpenModel()
        .floats("a", "batch,width")
        .node("Neg", "a", "y")
        .output("y", "batch,width")
        .write(repository, "fixed");
    new OpenModel()
        .floats("x", "N,3")
        .longs("counts", "2")
        .node("Tile", "x counts", "y")
        .output("y", "?,?")
        .write(repository, "tiled");
    new OpenModel()
        .longs("indices", "updates,1")
        .floats("values", "updates,2")
        .counting("data", 4, 2)
        .node("ScatterND", "data indices values", "y")
        .output("y", "4,2")
        .write(repository, "scattered");
    new OpenModel()
        .floats("image", "batch,1,height,width")
        .node("GlobalMaxPool", "image", "y")
        .output("y", "batch,1,1,1")
        .write(repository, "image");
    new OpenModel()
        .floats("x", "?,?")
        .floats("s", "")
        .node("Mul", "x s", "y")
        .output("y", "?,?")
        .write(repository, "unnamed");
    new OpenModel()
        .longs("counts", "2")
        .node("ConstantOfShape", "counts", "y")
        .output("y", "?,?")
        .write(repository, "zeros");
    new OpenModel()
        .floats("start", "")
        .floats("limit", "")
        .floats("step", "")
        .node("Range", "start limit step", "y")
        .output("y", "?")
        .write(repository, "range");
    new OpenModel()
        .longs("start", "")
        .longs("limit", "")
        .longs("step", "")
        .node("Range", "start limit step", "y")
        .output("y", "?")
        .write(repository, "whole");
    new OpenModel()
        .floats("x", "batch,width")
        .node("Abs", "x", "y")
        .output("y", "batch,width")
        .write(repository, "unasked");
    service =
        RunningService.start(
            "engine.device=" + tested.device(),
            "engine.specialisations.max=3",
            "engine.models.settings.matrix.prepare=N=1,M=5; N=2,M=7",
            "engine.models.settings.fixed.dimensions.width=3",
            "engine.batching.max-size=8",
            "engine.pool.capacity=16MB",
            "engine.models.repository=" + repository);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zeros | counts INT64 [2] [65536,65536] | counts=[65536,65536]",
        "zeros | counts INT64 [2] [9223372036854775807,2] | counts=[9223372036854775807,2]",
        "tiled | x FP32 [1,3] [1,2,3];counts INT64 [2] [9223372036854775807,4] | counts=[9223372036854775807,4]",
        "tiled | x FP32 [1,3] [1,2,3];counts INT64 [2] [4000,4000] | needs memory that the pool does not have",
        "range | start FP32 [] [1];limit FP32 [] [5];step FP32 [] [0] | step=[0.0]",
        "range | start FP32 [] [1];limit FP32 [] [3e38];step FP32 [] [1] | limit=[3.0E38]",
        "zeros | counts INT64 [2] [9223372036854775807,2] | node 'y' (ConstantOfShape): ",
        "zeros | counts INT64 [2] [4611686018427387904,1] | node 'y' (ConstantOfShape): ",
        "tiled | x FP32 [1,3] [1,2,3];counts INT64 [2] [9223372036854775807,4] | node 'y' (Tile): ",
        "tiled | x FP32 [1,3] [1,2,3];counts INT64 [2] [1,9223372036854775807] | node 'y' (Tile): ",
        "whole | start INT64 [] [0];limit INT64 [] [9223372036854775807];step INT64 [] [1] | node 'y' (Range): ",
        "whole | start INT64 [] [-9223372036854775807];limit INT64 [] [9223372036854775807];step INT64 [] [1] | node 'y' (Range): ",
      })
  void whatARequestsValuesBreakIsTheRequestsFaultInALine(String model, String inputs, String part) {
    Answer answer = infer(model, inputs.split(";"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.error()).contains(part).doesNotContain("\n", "overflow");
  }

  @Test
  void aShapeForWhichThereIsNoMemoryIsUnavailableWithTheFigures() {
    Answer answer = infer("text", "ids INT64 [1,2000000] [" + "1,".repeat(1_999_999) + "1]");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.error())
        .contains("[1, 2000000]")
        .contains("the pool has 16777216 bytes in all, so that asking again does not help")
        .contains("Raise engine.pool.capacity to at least ");
    assertThat(answer.header("Retry-After")).isEmpty();
    check(infer("text", "ids INT64 [1,1] [1]"), List.of(1, 1, 2), List.of(2.0, 3.0));
  }

  @Test
  @Timeout(120)
  void kernelsAreBuiltBeforeTheFirstRequest() {
    while (tested.isOpenCl() && figure("kernels", "VALUE", "unasked") == 0) {
      Thread.onSpinWait();
    }
    assertThat(figure("compile", "COUNT", "unasked")).isZero();
    assertThat(figure("bytes", "VALUE", "unasked")).isZero();
  }

  @Test
  void shapesArePreparedBeforeTheModelIsReadyAndTheirFiguresAreMetered() {
    assertThat(figure("compile", "COUNT", "matrix")).isGreaterThanOrEqualTo(2);
    double compiled = figure("compile", "COUNT", "matrix");
    check(
        infer("matrix", "x FP32 [2,7] " + numbers(14)),
        List.of(2, 7),
        LongStream.range(0, 14).mapToObj(i -> -(double) (i % 10)).toList());
    assertThat(figure("compile", "COUNT", "matrix")).isEqualTo(compiled);
    assertThat(figure("compile", "TOTAL_TIME", "matrix")).isPositive();
    for (int width = 20; width < 25; width++) {
      infer("matrix", "x FP32 [1,%d] %s".formatted(width, numbers(width)));
    }
    assertThat(figure("kept", "VALUE", "matrix")).isEqualTo(3);
    assertThat(figure("evicted", "COUNT", "matrix")).isGreaterThanOrEqualTo(4);
    infer("text", "ids INT64 [1,1] [1]");
    assertThat(figure("bytes", "VALUE", "text")).isPositive();
  }

  private double figure(String meter, String statistic, String model) {
    JsonNode measurements =
        service
            .client()
            .get("/actuator/metrics/engine.specialisations." + meter + "?tag=model:" + model)
            .json()
            .path("measurements");
    return StreamSupport.stream(measurements.spliterator(), false)
        .filter(m -> m.path("statistic").stringValue().equals(statistic))
        .findFirst()
        .orElseThrow()
        .path("value")
        .doubleValue();
  }

  @Test
  void aPlanIsShownOnceThereIsOne() {
    Answer none = service.client().get("/actuator/plans/zeros");
    assertThat(none.status()).isEqualTo(409);
    assertThat(none.body()).contains("no request came yet").doesNotContain("\n");
    infer("text", "ids INT64 [2,1] [1,2]");
    assertThat(service.client().get("/actuator/plans/text?batch=2").status()).isEqualTo(200);
  }

  /* `name TYPE [shape] [data]`, with blanks between. */
  private Answer infer(String model, String... inputs) {
    return service
        .client()
        .infer(
            model,
            Arrays.stream(inputs)
                .map(input -> input.split(" "))
                .map(i ->
                    "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"data\":%s}"
                        .formatted((Object[]) i))
                .collect(Collectors.joining(",", "{\"inputs\":[", "]}")));
  }

  private static String numbers(long count) {
    return LongStream.range(0, count)
        .mapToObj(i -> Long.toString(i % 10))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static void check(Answer answer, List<Integer> shape, List<Double> data) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode output = answer.json().path("outputs").path(0);
    assertThat(output.path("shape")).map(JsonNode::intValue).isEqualTo(shape);
    assertThat(output.path("data")).map(JsonNode::doubleValue).isEqualTo(data);
  }

  private static List<Double> repeated(int rows, List<Double> row) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.addAll(row);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,16", "1,17", "4,16", "8,3", "0,5", "3,0"})
  void anyBatchAndSequenceIsServed(int batch, int sequence) {
    long count = (long) batch * sequence;
    List<Double> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add(2.0 * (i % 10));
      expected.add(2.0 * (i % 10) + 1);
    }
    check(
        infer("text", "ids INT64 [%d,%d] %s".formatted(batch, sequence, numbers(count))),
        List.of(batch, sequence, 2),
        expected);
  }

  @Test
  void sizesOfDifferentNamesAreFreeOfEachOther() {
    check(infer("matrix", "x FP32 [1,3] [1,2,3]"), List.of(1, 3), List.of(-1.0, -2.0, -3.0));
    check(
        infer("different", "a FP32 [2,1] [1,2]", "b FP32 [2,2] [3,4,5,6]"),
        List.of(2, 3),
        List.of(1.0, 3.0, 4.0, 2.0, 5.0, 6.0));
    check(
        infer("unnamed", "x FP32 [2,1] [1,2]", "s FP32 [] [3]"), List.of(2, 1), List.of(3.0, 6.0));
    check(infer("image", "image FP32 [1,1,2,3] [1,2,9,4,5,6]"), List.of(1, 1, 1, 1), List.of(9.0));
  }

  @Test
  void sizesOfOneNameAgree() {
    check(
        infer("same", "a FP32 [1,3] [1,2,3]", "b FP32 [1,3] [4,5,6]"),
        List.of(1, 3),
        List.of(5.0, 7.0, 9.0));
    Answer answer = infer("same", "a FP32 [1,3] [1,2,3]", "b FP32 [1,2] [4,5]");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error())
        .isEqualTo(
            "unexpected shape for input 'b' for model 'same'. Expected [-1,-1], got [1,2]:"
                + " 'width' is 3 on axis 1 of 'a' and 2 on axis 1 of 'b'");
  }

  @ParameterizedTest
  @CsvSource({"1,1", "3,2", "8,1", "5,4", "2,0"})
  void sizesFollowFromValuesAtAnyBatch(int batch, int times) {
    check(
        infer(
            "tiled",
            "x FP32 [%d,3] %s".formatted(batch, "[1,2,3" + ",1,2,3".repeat(batch - 1) + "]"),
            "counts INT64 [2] [1,%d]".formatted(times)),
        List.of(batch, 3 * times),
        repeated(batch * times, List.of(1.0, 2.0, 3.0)));
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "4", "8"})
  void anOpenNumberOfUpdatesIsNoBatch(int updates) {
    List<Double> expected = new ArrayList<>(List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0));
    if (updates > 0) {
      expected.set(2, 9.0);
      expected.set(3, 9.0);
    }
    check(
        infer(
            "scattered",
            "indices INT64 [%d,1] %s".formatted(updates, list("1", updates)),
            "values FP32 [%d,2] %s".formatted(updates, list("9", 2 * updates))),
        List.of(4, 2),
        expected);
  }

  private static String list(String element, int count) {
    return "[" + String.join(",", java.util.Collections.nCopies(count, element)) + "]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text | ids INT64 [16] | unexpected shape for input 'ids' for model 'text'. Expected [-1,-1], got [16]",
        "text | ids INT64 [9,1] | inference request batch-size must be <= 8 for 'text', got 9",
        "text | ids INT64 [0,9223372036854775807] | unexpected shape for input 'ids' for model 'text'. Expected [-1,-1], got [0,9223372036854775807]: its sizes are beyond 2147483647 together",
        "text | ids INT64 [0,2147483648] | unexpected shape for input 'ids' for model 'text'. Expected [-1,-1], got [0,2147483648]: its sizes are beyond 2147483647 together",
        "tiled | x FP32 [2,4] | unexpected shape for input 'x' for model 'tiled'. Expected [-1,3], got [2,4]",
        "image | image FP32 [1,2,3,4] | unexpected shape for input 'image' for model 'image'. Expected [-1,1,-1,-1], got [1,2,3,4]",
      })
  void aShapeThatDoesNotFitIsRefusedInTritonsWords(String model, String input, String message) {
    Answer answer = infer(model, input + " []");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo(message);
  }

  @Test
  void metadataSayThatTheRequestChooses() {
    JsonNode metadata = service.client().get("/v2/models/image").json();
    assertThat(shape(metadata.path("inputs"))).containsExactly(-1L, 1L, -1L, -1L);
    assertThat(shape(metadata.path("outputs"))).containsExactly(-1L, 1L, 1L, 1L);
  }

  @Test
  void aSizeThatIsFixedByPropertyIsPlannedAtLoad() {
    JsonNode metadata = service.client().get("/v2/models/fixed").json();
    assertThat(shape(metadata.path("inputs"))).containsExactly(-1L, 3L);
    check(infer("fixed", "a FP32 [1,3] [1,2,3]"), List.of(1, 3), List.of(-1.0, -2.0, -3.0));
    assertThat(infer("fixed", "a FP32 [1,4] [1,2,3,4]").error())
        .isEqualTo("unexpected shape for input 'a' for model 'fixed'. Expected [-1,3], got [1,4]");
  }

  private static List<Long> shape(JsonNode tensors) {
    return StreamSupport.stream(tensors.path(0).path("shape").spliterator(), false)
        .map(JsonNode::longValue)
        .toList();
  }
}
