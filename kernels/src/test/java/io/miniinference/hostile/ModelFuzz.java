package io.miniinference.hostile;

import io.miniinference.budget.LoadLimits;
import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.LargeModel;
import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Model files: each is loaded or refused by name, and the pool is then as it was.
public final class ModelFuzz implements FuzzTarget {
  private static final LoadLimits LIMITS =
      new LoadLimits(Duration.ofSeconds(5), 2_000_000_000, 8L << 30, 1_000_000_000);

  private final Engine engine =
      Engines.open(
          new EngineOptions(64L << 20, "jvm", null, null, "auto", TestCache.FOLDER)
              .withLimits(LIMITS));
  private final Path file;

  public ModelFuzz() throws IOException {
    file = Files.createTempDirectory("model-fuzz").resolve("model.onnx");
  }

  @Override
  public List<byte[]> seeds() {
    return Arrays.stream(LargeModel.values())
        .flatMap(kind -> Stream.of(1, 3).map(size -> kind.proto(size).toByteArray()))
        .toList();
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    Files.write(file, input);
    boolean loaded = isLoaded();
    long used = engine.pool().statistics().usedBytes();
    if (used != 0) {
      throw new AssertionError(used + " bytes of the pool are in use after the load");
    }
    return loaded;
  }

  private boolean isLoaded() {
    try {
      engine.prepare("fuzzed", file, LoadOptions.defaults().withMaxBatch(2)).load(1).close();
      return true;
    } catch (ModelException | LoadRefusedException e) {
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("a refusal that says nothing", e);
      }
      return false;
    }
  }

  /// What the limits of a load allow: a small file may well be a large model.
  @Override
  public long mostAllocated(int inputBytes) {
    return LIMITS.bytes();
  }

  @Override
  public void close() throws IOException {
    engine.close();
    Files.deleteIfExists(file);
    Files.deleteIfExists(file.getParent());
  }
}
