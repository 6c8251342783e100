package io.miniinference.bench.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Settings;
import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.bench.measure.Unit;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.repository.BundledModels;
import io.miniinference.testing.GatherModels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole suites with tiny slices.
final class SuitesTest {
  @TempDir Path cache;
  private long poolBytes = 256 << 20;
  private final List<String> said = new ArrayList<>();

  @Test
  void theJvmIsTimedBesideOnnxRuntime() {
    SuiteResult result = run(ModelsSuite::onTheJvm, "opencl", List.of("mnist-cnn", "number-words"));

    assertThat(result.device().kind()).isEqualTo("JVM");
    assertThat(result.problems()).isEmpty();
    assertThat(result.measurements())
        .extracting(Measurement::unit)
        .containsOnly(Unit.MICROSECONDS, Unit.ARENA_BYTES);
    assertThat(result.comparisons())
        .hasSize(2)
        .allMatch(figure -> figure.peer().startsWith("ONNX Runtime"))
        .allMatch(figure -> figure.ratio().pairs() == 3);
    assertThat(said)
        .contains("bench: mnist-cnn: batch 2")
        .anyMatch(line -> line.startsWith("bench: mnist-cnn, batch 2: engine "));
  }

  @Test
  void modelsOnTheJvmTellTheirArenas() {
    SuiteResult result = run(ModelsSuite::besidePeers, "jvm", List.of("mnist-mlp"));

    assertThat(result.measurements())
        .filteredOn(figure -> figure.unit() == Unit.ARENA_BYTES)
        .singleElement()
        .satisfies(figure -> assertThat(figure.spread().median()).isPositive());
  }

  @Test
  @Tag("opencl")
  void modelsOnOpenClAreTimedBesideOnnxRuntime() {
    SuiteResult result = run(ModelsSuite::besidePeers, "opencl", List.of("mnist-mlp"));

    assertThat(result.device().kind()).isEqualTo("OPENCL_CPU");
    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons()).extracting(Comparison::name).containsExactly("mnist-mlp");
  }

  @Test
  @Tag("opencl")
  void eachLaunchIsTimedBesideItsBoundAndOnnxRuntimesNode() {
    SuiteResult result = run(KernelsSuite::measure, "opencl", List.of("mnist-cnn"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.notes())
        .anyMatch(note -> note.contains("GFLOP/s in registers"))
        .anyMatch(note -> note.contains("its launches take"));
    assertThat(result.measurements())
        .filteredOn(figure -> figure.unit() == Unit.MICROSECONDS)
        .extracting(figure -> figure.parameters().get("by"))
        .contains("engine", "bound", "ONNX Runtime");
    assertThat(result.measurements())
        .filteredOn(figure -> figure.unit() == Unit.GIGAFLOPS)
        .allSatisfy(figure -> assertThat(figure.spread().median()).isPositive());
  }

  @Test
  void launchesOfTheJvmAreTimedWithoutABound() {
    SuiteResult result = run(KernelsSuite::measure, "jvm", List.of("mnist-mlp"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.measurements())
        .extracting(figure -> figure.parameters().get("by"))
        .contains("engine")
        .doesNotContain("bound");
  }

  @Test
  void aModelThatIsNotThereIsToldWithThoseThatAre() {
    assertThatThrownBy(() -> run(ModelsSuite::besidePeers, "jvm", List.of("mnist-xyz")))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("mnist-cnn")
        .hasMessageContaining("mnist-xyz");
  }

  @Test
  void modelsThatCannotBeMeasuredAreALineEachAndTheOthersAreMeasured(@TempDir Path folder)
      throws Exception {
    Files.copy(bundled("mnist-mlp"), folder.resolve("plain.onnx"));
    Files.createDirectories(folder.resolve("tested"));
    Files.copy(bundled("mnist-mlp"), folder.resolve("tested/model.onnx"));
    Files.write(folder.resolve("large.onnx"), model("ConstantOfShape", 1L << 40));
    Files.write(folder.resolve("unknown.onnx"), model("Frobnicate", 4));
    Files.writeString(folder.resolve("text.onnx"), "no model");
    Files.writeString(folder.resolve("README"), "no model either");

    SuiteResult result = run(ModelsSuite::besidePeers, "jvm", List.of(), folder);

    assertThat(result.problems())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("large is not measured: ") && line.contains("folding"))
        .anyMatch(
            line -> line.startsWith("unknown is not measured: ") && line.contains("Frobnicate"))
        .anyMatch(line -> line.startsWith("text is not measured: "));
    assertThat(result.measurements()).extracting(Measurement::name).contains("plain", "tested");
    assertThat(said).containsOnlyOnce("bench: plain: loading", "bench: tested: loading");
  }

  @Test
  void aModelThatTheDeviceHasNoRoomForIsALineAndTheOthersAreMeasured(@TempDir Path folder)
      throws Exception {
    Files.copy(bundled("mnist-mlp"), folder.resolve("plain.onnx"));
    Files.write(folder.resolve("vast.onnx"), model("Relu", 1L << 38));

    SuiteResult result = run(ModelsSuite::sharing, "jvm", List.of(), folder);

    assertThat(result.problems())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("vast "))
        .allMatch(line -> line.lines().count() == 1)
        .anyMatch(line -> line.contains("it needs a pool of "));
    assertThat(result.comparisons()).extracting(Comparison::name).contains("plain");
  }

  @Test
  void aModelLargerThanThePoolGetsALargerOne() {
    poolBytes = 1 << 20;

    SuiteResult result = run(ModelsSuite::besidePeers, "jvm", List.of("mnist-mlp"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.measurements()).extracting(Measurement::name).contains("mnist-mlp");
  }

  @Test
  void aFolderWithoutModelsIsRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> run(ModelsSuite::besidePeers, "jvm", List.of(), folder))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no models in " + folder);
  }

  private Path bundled(String name) {
    return BundledModels.unpack(cache).find(name).orElseThrow().path();
  }

  /// A model of one operator over a constant shape `[size]`, or over an input of it.
  private static byte[] model(String op, long size) {
    boolean fromShape = op.equals("ConstantOfShape");
    var tensor =
        TypeProto.Tensor.newBuilder()
            .setElemType(DataType.FLOAT.getNumber())
            .setShape(
                TensorShapeProto.newBuilder()
                    .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(size)));
    var graph =
        GraphProto.newBuilder()
            .setName(op)
            .addInitializer(
                TensorProto.newBuilder()
                    .setName("shape")
                    .setDataType(DataType.INT64.getNumber())
                    .addDims(1)
                    .addInt64Data(size))
            .addInput(
                ValueInfoProto.newBuilder()
                    .setName("x")
                    .setType(TypeProto.newBuilder().setTensorType(tensor)))
            .addNode(
                NodeProto.newBuilder()
                    .setOpType(op)
                    .addInput(fromShape ? "shape" : "x")
                    .addOutput("y"))
            .addOutput(ValueInfoProto.newBuilder().setName("y"));
    return ModelProto.newBuilder()
        .setIrVersion(9)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(18))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  @Test
  void aModelIsTimedWithAndWithoutSharedMemory() {
    SuiteResult result = run(ModelsSuite::sharing, "jvm", List.of("mnist-mlp"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .singleElement()
        .matches(figure -> figure.subject().equals("sharing"))
        .matches(figure -> figure.peer().equals("memory for each"));
    assertThat(result.notes())
        .singleElement()
        .asString()
        .startsWith("sharing / memory for each over 1 figures: geometric mean ");
  }

  @Test
  @Tag("opencl")
  void modelsAreTimedWithAndWithoutChecks(@TempDir Path folder) throws Exception {
    Files.copy(bundled("mnist-mlp"), folder.resolve("mlp.onnx"));
    int models = 1 + GatherModels.all().size();

    SuiteResult result = run(FailuresSuite::measure, "opencl", List.of(), folder);

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .hasSize(models)
        .allMatch(figure -> figure.subject().equals("checks on"))
        .allMatch(figure -> figure.peer().equals("checks off"));
    assertThat(result.notes())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("checks on / checks off over " + models + " figures: geometric mean ");
  }

  @Test
  void requestsInFlightAreTimedBesideOneAfterTheOther() {
    SuiteResult result = run(InFlightSuite::measure, "jvm", List.of("mnist-mlp"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .extracting(Comparison::subject, Comparison::peer)
        .containsExactly(
            tuple("8 in flight", "4 in flight"),
            tuple("8 in flight", "2 in flight"),
            tuple("8 in flight", "one after the other"));
  }

  @Test
  void anOperatorBehindConvolutionsIsTimedBesideReluAndOnnxRuntime() {
    SuiteResult result = run(EpiloguesSuite::measure, "jvm", List.of("HardSwish"));

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .extracting(Comparison::peer)
        .contains("with Relu", "with Relu, and by itself")
        .anyMatch(peer -> peer.startsWith("ONNX Runtime"));
  }

  private SuiteResult run(Consumer<Findings> suite, String device, List<String> models) {
    return run(suite, device, models, null);
  }

  private SuiteResult run(
      Consumer<Findings> suite, String device, List<String> models, @Nullable Path repository) {
    List<String> options = new ArrayList<>(List.of("--quick", "--batch=2"));
    options.addAll(List.of("--device=" + device, "--cache=" + cache, "--pool=" + poolBytes));
    models.forEach(model -> options.add("--model=" + model));
    if (repository != null) {
      options.add("--models=" + repository);
    }
    Setting setting = Settings.of(options.toArray(String[]::new));
    return new Suite("suite", "of a test", suite).run(setting, said::add).orElseThrow();
  }
}
