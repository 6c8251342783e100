package io.miniinference.opensizes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A model with open sizes serves a shape as the same model with these sizes fixed does: in an
/// arena of no more bytes, row by row in one launch where that one does, with the same failures.
@OnEachDevice({TestedDevice.CPU, TestedDevice.JVM})
@Tag("data")
@Tag("opencl")
final class OpenRowsTest {
  private static final int MOST_ROWS = 4;
  private static final long SEED = Long.getLong("mie.seed", 20261123);
  static final long VOCABULARY = 600;

  private static final Pattern PLANNED = Pattern.compile("\"plannedBytes\":(\\d+)");
  private static final Pattern ARENA = Pattern.compile("\"arenaBytes\":(\\d+)");

  @Parameter TestedDevice tested;

  static Stream<OpenNetwork> networks() {
    return Stream.concat(OpenSizesTest.networks(), Stream.of(OpenNetwork.DECODER));
  }

  /// How many rows a worker takes at a time follows from the bytes of the weights, which both pack
  /// in their own ways: at its borders the shape may take fewer.
  @ParameterizedTest
  @MethodSource("networks")
  void theArenaOfAShapeIsAsLargeAsThatOfFixedSizes(OpenNetwork network) {
    Random random = new Random(SEED);
    LoadOptions options = LoadOptions.defaults().withMaxBatch(MOST_ROWS);
    try (Engine engine = OpenSizesTest.open(tested)) {
      Model open = engine.load(network.read(), options);
      for (int i = 0; i < OpenSizesTest.SHAPES; i++) {
        Map<String, Long> sizes = network.sizes(random);
        Map<String, Long> others = new HashMap<>(sizes);
        int rows = others.remove("batch").intValue();
        network.ask(open, sizes);
        PlanReport fixed = engine.plan(network.read(), options.withDimensions(others), rows);
        PlanReport own = open.plan(rows);
        assertThat(bytes(own, PLANNED))
            .as("%s, planned", sizes)
            .isPositive()
            .isEqualTo(bytes(fixed, PLANNED));
        assertThat(bytes(own, ARENA))
            .as("%s, with rows apart", sizes)
            .isLessThanOrEqualTo(bytes(fixed, ARENA));
      }
    }
  }

  /* 0 where a plan has none. */
  private static long bytes(PlanReport report, Pattern field) {
    return field
        .matcher(report.json())
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  @Test
  void rowsGoThroughAShapeInOneLaunchAndFailAsOnTheJvm() {
    try (Engine engine = OpenSizesTest.open(tested);
        Engine jvm = OpenSizesTest.open(TestedDevice.JVM)) {
      Model model = engine.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      Model reference = jvm.load(OpenNetwork.ENCODER.read(), LoadOptions.defaults());
      List<FailureReport> expected = failures(reference);
      assertThat(expected).extracting(FailureReport::row).containsExactly(1, 2);
      assertThat(failures(model)).isEqualTo(expected);
      Map<String, Long> sizes = Map.of("batch", (long) MOST_ROWS, "sequence", 12L);
      List<float[]> answer = OpenNetwork.ENCODER.ask(reference, sizes);
      long before = engine.driverCalls().launches();
      OpenSizesTest.assertClose(OpenNetwork.ENCODER.ask(model, sizes), answer, "after failures");
      if (tested == TestedDevice.CPU) {
        assertThat(engine.driverCalls().launches() - before)
            .as("launches, at most one share for each row")
            .isBetween(1L, (long) MOST_ROWS);
      }
    }
  }

  /* Of words that are none, in rows 1 and 2. */
  private static List<FailureReport> failures(Model model) {
    return failures(model, MOST_ROWS, OpenRowsTest::write);
  }

  /// What the encoder tells of words that are none, in texts of 12.
  static List<FailureReport> failures(Model model, long rows, InferenceRequest.Writer words) {
    List<long[]> shapes = Collections.nCopies(3, new long[] {rows, 12});
    InferenceRequest request = new InferenceRequest(shapes, words);
    return catchThrowableOfType(
            RequestFailedException.class, () -> model.infer(request, outputs -> outputs.size()))
        .failures();
  }

  private static void write(int input, MemorySegment staging) {
    staging.fill((byte) 0);
    if (input == 0) {
      staging.setAtIndex(ValueLayout.JAVA_LONG, 12 + 5, VOCABULARY);
      staging.setAtIndex(ValueLayout.JAVA_LONG, 2 * 12 + 11, -VOCABULARY - 1);
    }
  }
}
