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
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Loads that fail, at each step and in each way, leave the pool as it was, and nothing grows. Each
/// device has a class, and so a process, of its own: the two run side by side.
@Tag("alone") // asks what its process holds
abstract class LoadCycles {
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

  /// A load that keeps something makes each turn end with more than the one before; a JVM that
  /// warms up, or one whose compiler is behind on a busy machine, soon has one that does not.
  private static final int MOST_TURNS = 8;

  /// Of the model: a failure comes at the first of them or at the next.
  private static final int LAYERS = 2;

  private final Faults faults = new Faults();
  private int done;

  /// How often at least a model is loaded and unloaded, each time after a load that failed: in
  /// turns of half as many, of which the first fills what PoCL keeps, its latest 128 kernels. PoCL
  /// finds what it built before by what its preprocessor makes of the source, which takes 40 ms a
  /// load.
  private int cycles() {
    return Integer.getInteger("mie.cycles", tested.isOpenCl() ? 80 : 500);
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
      engine.load(Versions.ofTwoLayers(3), OPTIONS);
      OnnxModel model = Versions.ofTwoLayers(9);
      float[] answer = answer(engine, model);
      Held before = heldAfterTurn(engine, model, answer);
      boolean grows = true;
      for (int turn = 1; turn <= MOST_TURNS && grows; turn++) {
        Held held = heldAfterTurn(engine, model, answer);
        System.out.printf("%s, turn %d: %s; before %s%n", tested.device(), turn, held, before);
        grows = held.isMoreThan(before);
        before = held;
      }
      assertThat(grows).as("more after each turn, at last " + before).isFalse();
      assertThat(faults.told()).isGreaterThan(cycles() / 2L);
      engine.pool().validateIntegrity();
    }
  }

  /* What a cycle keeps stays above the least; what the JVM's compiler holds for a while does not. */
  private Held heldAfterTurn(Engine engine, OnnxModel model, float[] answer) throws IOException {
    for (int i = 0; i < cycles() / 2; i++) {
      cycle(engine, model, answer, done++);
    }
    Held least = Held.now();
    for (int i = 0; i < 10; i++) {
      cycle(engine, model, answer, done++);
      least = least.orLess(Held.now());
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
        i / (STEPS.size() * FAILURES.size()) % LAYERS,
        STEPS.get(i % STEPS.size()),
        FAILURES.get(i / STEPS.size() % FAILURES.size()));
    Throwable failure = catchThrowable(() -> engine.load(model, OPTIONS).close());
    faults.clear();

    assertThat(failure == null).as("cycle %d", i).isEqualTo(faults.told() == told);
    assertThat(engine.pool().memoryMap()).as("cycle %d", i).hasToString(before);
    assertThat(answer(engine, model)).as("cycle %d", i).isEqualTo(answer);
    assertThat(engine.pool().memoryMap()).as("cycle %d", i).hasToString(before);
  }

  /// Memory that is in use.
  ///
  /// @param heapBytes what lives in the heap, whose extent is the collector's choice
  /// @param otherBytes what is resident besides the heap
  private record Held(long heapBytes, long otherBytes) {
    static Held now() throws IOException {
      System.gc();
      long resident =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
              .sum();
      Runtime runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory();
      return new Held(heap - runtime.freeMemory(), resident - heap);
    }

    /// By one in a hundred, in the heap or besides.
    boolean isMoreThan(Held before) {
      return heapBytes > before.heapBytes + before.heapBytes / 100
          || otherBytes > before.otherBytes + before.otherBytes / 100;
    }

    Held orLess(Held other) {
      return new Held(Math.min(heapBytes, other.heapBytes), Math.min(otherBytes, other.otherBytes));
    }

    @Override
    public String toString() {
      return "%,d bytes of the heap and %,d others".formatted(heapBytes, otherBytes);
    }
  }
}
