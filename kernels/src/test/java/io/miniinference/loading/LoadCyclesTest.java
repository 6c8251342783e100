package io.miniinference.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.miniinference.device.DeviceException;
import io.miniinference.device.TestCache;
import io.miniinference.device.fault.Faults;
import io.miniinference.device.fault.Faults.Step;
import io.miniinference.device.fault.FaultyDevice;
import io.miniinference.interp.fast.VectorForms;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Loads that fail, at each step and in each way, leave the pool as it was, and nothing grows.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
final class LoadCyclesTest {
  @Parameter TestedDevice tested;

  private static final LoadOptions OPTIONS = LoadOptions.defaults().withMaxBatch(16);
  private static final List<Step> STEPS = List.of(Step.UPLOAD, Step.BUILD, Step.PREPARE);
  private static final List<Supplier<Throwable>> FAILURES =
      List.of(
          () -> new DeviceException("injected"),
          () -> new OutOfMemoryError("injected"),
          () -> new StackOverflowError("injected"),
          () -> new AssertionError("injected"),
          () -> new IllegalStateException("injected"));

  private final Faults faults = new Faults();

  /// How often a model is loaded and unloaded, each time after a load that failed. The first half
  /// fills what PoCL keeps, which is its latest 128 kernels.
  private int cycles() {
    return Integer.getInteger("mie.cycles", tested.isOpenCl() ? 200 : 1000);
  }

  private Engine open() {
    var options =
        new EngineOptions(1 << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER);
    return Engines.open(options, device -> new FaultyDevice(device, faults));
  }

  @Test
  void loadsThatFailLeaveThePoolAsItWasAndNothingGrows() throws IOException {
    VectorForms.await(); // what the JVM compiles for them beside all else takes memory
    try (Engine engine = open()) {
      engine.load(Versions.of(3), OPTIONS);
      OnnxModel model = Versions.of(9);
      float[] answer = answer(engine, model);
      long residentBytes = 0;
      for (int i = 0; i < cycles(); i++) {
        if (i == cycles() / 2) {
          residentBytes = residentBytes();
        }
        cycle(engine, model, answer, i);
      }
      assertThat(faults.told()).isGreaterThan(cycles() / 2L);
      engine.pool().validateIntegrity();
      System.out.printf(
          "%s: %d cycles, resident %,d bytes after half, %,d at the end%n",
          tested.device(), cycles(), residentBytes, residentBytes());
      assertThat(leastOfMoreCycles(engine, model, answer))
          .isLessThanOrEqualTo(residentBytes + residentBytes / 100);
    }
  }

  /* What a cycle keeps stays above; what the JVM's compiler holds for a while does not. */
  private long leastOfMoreCycles(Engine engine, OnnxModel model, float[] answer)
      throws IOException {
    long least = residentBytes();
    for (int i = 0; i < 10; i++) {
      cycle(engine, model, answer, i);
      least = Math.min(least, residentBytes());
    }
    return least;
  }

  private static float[] answer(Engine engine, OnnxModel model) {
    try (Model loaded = engine.load(model, OPTIONS)) {
      return Versions.ask(loaded);
    }
  }

  private void cycle(Engine engine, OnnxModel model, float[] answer, int i) {
    String before = engine.pool().memoryMap().toString();
    long told = faults.told();
    faults.failAfter(
        i / (STEPS.size() * FAILURES.size()) % 3,
        STEPS.get(i % STEPS.size()),
        FAILURES.get(i / STEPS.size() % FAILURES.size()));
    Throwable failure = catchThrowable(() -> engine.load(model, OPTIONS).close());
    faults.clear();

    assertThat(failure == null).as("cycle %d", i).isEqualTo(faults.told() == told);
    assertThat(engine.pool().memoryMap()).as("cycle %d", i).hasToString(before);
    assertThat(answer(engine, model)).as("cycle %d", i).isEqualTo(answer);
    assertThat(engine.pool().memoryMap()).as("cycle %d", i).hasToString(before);
  }

  /* Outside the heap, whose extent is the collector's choice. */
  private static long residentBytes() throws IOException {
    System.gc();
    long all =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
            .sum();
    return all - Runtime.getRuntime().totalMemory();
  }
}
