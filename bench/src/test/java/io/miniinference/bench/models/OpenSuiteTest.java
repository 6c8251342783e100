package io.miniinference.bench.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Settings;
import io.miniinference.bench.measure.SizeRange;
import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.ir.ElementType;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shapes of requests, and a tiny run of their suite.
final class OpenSuiteTest {
  private static final Signature SIGNATURE =
      new Signature(
          "words",
          List.of(
              new TensorSpec(
                  "x",
                  ElementType.F32,
                  List.of(new Dimension.Batch(1), new Dimension.Open("length")))),
          List.of(),
          8);

  @TempDir Path folder;

  @Test
  void shapesDifferAndLieInTheirRanges() {
    var shapes =
        new OpenShapes(
            SIGNATURE, Map.of("length", SizeRange.of("8..30/4"), "batch", SizeRange.of("2..3")));

    List<RequestShape> all = shapes.random(100);

    assertThat(new HashSet<>(all)).hasSameSizeAs(all).hasSize(11).doesNotContain(shapes.middle());
    assertThat(all)
        .allMatch(shape -> shape.batch() == 2 || shape.batch() == 3)
        .allMatch(
            shape -> List.of(8L, 12L, 16L, 20L, 24L, 28L).contains(shape.sizes().get("length")));
    assertThat(shapes.random(100)).isEqualTo(all);
  }

  @Test
  void shapesInOrderGrowByAStepUpToTheirLargest() {
    var shapes =
        new OpenShapes(
            SIGNATURE, Map.of("length", SizeRange.of("8..30/4"), "batch", SizeRange.of("2..3")));

    assertThat(shapes.inOrder(9))
        .extracting(shape -> shape.batch() + "x" + shape.sizes().get("length"))
        .containsExactly("2x8", "2x12", "2x16", "2x20", "2x24", "2x28");
  }

  @Test
  void aRangeWithoutAnySizeIsRefused() {
    assertThatThrownBy(() -> SizeRange.of("5..7/4"))
        .hasMessage("no multiple of 4 lies from 5 to 7");
    assertThatThrownBy(() -> SizeRange.of("many")).hasMessageContaining("'many' is no range");
  }

  @Test
  void aModelIsRightInRandomShapesAndTimedBesideItselfWithFixedSizes() throws IOException {
    Files.write(
        folder.resolve("words.onnx"),
        TestModel.opset(17).floats("x", "batch,length").node("Relu", "x", "y").output("y").bytes());

    SuiteResult result = run("--models=" + folder).orElseThrow();

    assertThat(result.problems()).isEmpty();
    assertThat(result.notes()).anyMatch(note -> note.contains("4 of 4 shapes as ONNX Runtime"));
    assertThat(result.notes()).anyMatch(note -> note.startsWith("open / fixed over 1 figures"));
    assertThat(result.measurements())
        .extracting(Measurement::subject)
        .contains("first request of a shape", "first − again, p99", "open", "fixed");
  }

  @Test
  void shapesInOrderAreRightAsWell() throws IOException {
    Files.write(
        folder.resolve("words.onnx"),
        TestModel.opset(17).floats("x", "batch,length").node("Relu", "x", "y").output("y").bytes());

    SuiteResult result = run("--models=" + folder, "--in-order").orElseThrow();

    assertThat(result.problems()).isEmpty();
    assertThat(result.notes()).anyMatch(note -> note.contains("4 of 4 shapes as ONNX Runtime"));
  }

  @Test
  void thereIsNothingToMeasureInBundledModels() {
    assertThat(run()).isEmpty();
  }

  private Optional<SuiteResult> run(String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.addAll(List.of("--quick", "--device=jvm", "--cache=" + folder.resolve("cache")));
    Setting setting = Settings.of(options.toArray(String[]::new));
    return new Suite("open", "open sizes", OpenSuite::measure).run(setting, _ -> {});
  }
}
