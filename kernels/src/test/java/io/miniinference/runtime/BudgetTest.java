package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.TestCache;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// What the trained models may take of a pool, and of a driver.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
@Tag("data")
final class BudgetTest {
  @Parameter TestedDevice tested;

  private static final List<String> MODELS =
      List.of("mnist-cnn", "mnist-mlp", "mnist-deep", "mnist-denoise", "number-words");

  private Engine open(long megabytes) {
    return Engines.open(
        new EngineOptions(
            megabytes << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  private static Model load(Engine engine, String name, LoadOptions options) {
    Path models = Path.of(System.getProperty("mie.data", "../shared/data"), "models");
    return engine.load(name, models.resolve(name).resolve("model.onnx"), options);
  }

  private static void answers(Model model, int rows) {
    List<long[]> shapes = model.inputs().stream().map(v -> v.shapeAt(rows)).toList();
    InferenceRequest request = new InferenceRequest(shapes, (_, staging) -> staging.fill((byte) 0));
    List<Long> sizes =
        model.infer(
            request,
            outputs -> outputs.stream().map(o -> o.data()).map(MemorySegment::byteSize).toList());
    assertThat(sizes).allMatch(bytes -> bytes > 0).hasSize(model.outputs().size());
  }

  @Test
  void fourMegabytesServeMnistOneByOne() {
    try (Engine engine = open(4)) {
      answers(load(engine, "mnist-cnn", LoadOptions.defaults().withMaxBatch(1)), 1);
    }
  }

  @Test
  void aHundredAndTwentyEightMegabytesServeMnistInBatchesOf256() {
    try (Engine engine = open(128)) {
      answers(load(engine, "mnist-cnn", LoadOptions.defaults()), 256);
    }
  }

  @Test
  void fiveModelsFitTheDefaultPoolWithEightyKernels() {
    try (Engine engine = open(256)) {
      List<Model> models = new ArrayList<>();
      for (String name : MODELS) {
        models.add(load(engine, name, LoadOptions.defaults()));
      }
      models.forEach(model -> answers(model, 256));
      assertThat(engine.driverCalls().variants()).isLessThanOrEqualTo(80);
      assertThat(models).extracting(Model::maxBatch).containsOnly(256);
      long reserved = models.stream().mapToLong(Model::reservedBytes).sum();
      assertThat(engine.pool().statistics().usedBytes()).isEqualTo(reserved);
    }
  }
}
