package io.miniinference.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.budget.LoadLimits;
import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.LargeModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Model files that are changed at random, for `mie.fuzz.seconds`: each is loaded or refused by
/// name, within ten seconds, and the pool is as it was.
///
/// The mutators are the engine's own: Jazzer 0.24 saw nothing of classes that are compiled for Java
/// 25. A file that loads becomes a seed, so that changes add up; the folder `mie.fuzz.corpus`, if
/// there is one, keeps the seeds from run to run, and files that broke something.
final class ModelFuzzTest {
  private static final long SECONDS = Long.getLong("mie.fuzz.seconds", 10);
  private static final @Nullable String CORPUS = System.getProperty("mie.fuzz.corpus");
  private static final long SEED = Long.getLong("mie.fuzz.seed", System.nanoTime());
  private static final int MOST_SEEDS = 5_000;
  private static final long MOST_SEED_BYTES = 64 * 1024;
  private static final LoadLimits LIMITS =
      new LoadLimits(Duration.ofSeconds(5), 2_000_000_000, 8L << 30);

  @TempDir Path folder;
  private final List<byte[]> seeds = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  @Test
  void aChangedModelIsLoadedOrRefusedByName() throws IOException {
    collectSeeds();
    Mutator mutator = new Mutator(new Random(SEED));
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    EngineOptions options =
        new EngineOptions(64L << 20, "jvm", null, null, "auto", TestCache.FOLDER);
    long tried = 0;
    try (Engine engine = Engines.open(options.withLimits(LIMITS))) {
      for (; System.nanoTime() < end && broken.isEmpty(); tried++) {
        attempt(engine, mutator.mutated(seeds));
      }
      assertThat(broken).as("seed %d, after %d files", SEED, tried).isEmpty();
      assertThat(engine.pool().statistics().usedBytes()).isZero();
    }
    System.out.printf(
        "%d changed models, seed %d, %d seeds at the end%n", tried, SEED, seeds.size());
    assertThat(tried).isPositive();
  }

  private void collectSeeds() throws IOException {
    for (LargeModel kind : LargeModel.values()) {
      Stream.of(1, 3).map(size -> kind.proto(size).toByteArray()).forEach(seeds::add);
    }
    if (CORPUS != null) {
      Files.createDirectories(Path.of(CORPUS));
      try (Stream<Path> files = Files.list(Path.of(CORPUS))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".onnx")).toList()) {
          seeds.add(Files.readAllBytes(file));
        }
      }
    }
  }

  private void attempt(Engine engine, byte[] model) throws IOException {
    Path file = Files.write(folder.resolve("model.onnx"), model);
    long start = System.nanoTime();
    try {
      engine.prepare("fuzzed", file, LoadOptions.defaults().withMaxBatch(2)).load(1).close();
      keep(model, "");
    } catch (ModelException | LoadRefusedException e) {
      assertThat(e.getMessage()).isNotBlank();
    } catch (Throwable e) {
      fault(model, e + " at " + Stream.of(e.getStackTrace()).limit(4).toList());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    if (took.toSeconds() >= 10) {
      fault(model, "took " + took);
    }
  }

  private void fault(byte[] model, String what) throws IOException {
    broken.add(what + " " + HexFormat.of().formatHex(model));
    keep(model, "broke-");
  }

  private void keep(byte[] model, String prefix) throws IOException {
    if (model.length > MOST_SEED_BYTES || seeds.size() >= MOST_SEEDS) {
      return;
    }
    seeds.add(model);
    if (CORPUS != null) {
      String name = prefix + Integer.toHexString(Arrays.hashCode(model)) + ".onnx";
      Files.write(Path.of(CORPUS, name), model);
    }
  }
}
