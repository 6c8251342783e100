package io.miniinference.engine;

import io.miniinference.ir.Tensor;
import io.miniinference.repository.BundledModels;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// Engines on each device, one with two bundled models for all tests of a class and one for each
/// test, and tensors to ask them with.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LibraryFixture {
  static final Path CACHE = Path.of(System.getProperty("mie.cache", "target/device-cache"));
  static final long SEED = 5;
  static final String CNN_IN = "Input3";
  static final String CNN_OUT = "Plus214_Output_0";
  static final String WORDS_IN = "characters";
  static final String WORDS_OUT = "digits";
  static final int PIXELS = 28 * 28;
  static final int LETTERS = 20;

  InferenceEngine shared;
  InferenceModel cnn;
  InferenceModel words;
  InferenceEngine own;

  @Parameter TestedDevice tested;

  @BeforeParameterizedClassInvocation
  void openShared() {
    shared = open();
    cnn = load(shared, "mnist-cnn");
    words = load(shared, "number-words");
  }

  @AfterParameterizedClassInvocation
  void closeShared() {
    shared.close();
  }

  @BeforeEach
  void openOwn() {
    own = open();
  }

  @AfterEach
  void closeOwn() {
    own.close();
  }

  InferenceEngine open() {
    return InferenceEngine.open(options(64L << 20));
  }

  EngineOptions options(long poolBytes) {
    return new EngineOptions(poolBytes, tested.device(), null, null, "auto", CACHE);
  }

  Path file(String name) {
    return BundledModels.unpack(CACHE).find(name).orElseThrow().path();
  }

  InferenceModel load(InferenceEngine engine, String name) {
    return engine.load(name, file(name), LoadOptions.defaults().withMaxBatch(8));
  }

  static float[] pixels(int rows, long seed) {
    Random random = new Random(seed);
    float[] pixels = new float[rows * PIXELS];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    return pixels;
  }

  static Map<String, Tensor> images(float[] pixels) {
    return images(CNN_IN, pixels);
  }

  static Map<String, Tensor> images(String name, float[] pixels) {
    return Map.of(name, Tensor.of(pixels, pixels.length / PIXELS, 1, 28, 28));
  }

  /// What the form without copies answers.
  float[] plain(float[] pixels) {
    long[] shape = {pixels.length / PIXELS, 1, 28, 28};
    return cnn.runtime()
        .infer(
            new InferenceRequest(
                List.of(shape),
                (input, staging) -> staging.copyFrom(MemorySegment.ofArray(pixels))),
            outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }

  static float[] values(Map<?, ?> tensors, String name) {
    return ((Tensor) Objects.requireNonNull(tensors.get(name))).floats();
  }

  @SuppressWarnings("NullAway") // what a caller in another language, or without checks, gives
  static <T> T nothing() {
    return null;
  }
}
