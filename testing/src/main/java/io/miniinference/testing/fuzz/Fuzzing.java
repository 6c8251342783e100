package io.miniinference.testing.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// How long a target is fuzzed and how: for a moment in the suite, from seeds that are changed at
/// random; with `mie.fuzz.seconds` for that long, and by Jazzer, which sees what each input
/// reaches.
public final class Fuzzing {
  private static final long JAZZER_SECONDS = Long.getLong("mie.fuzz.seconds", 0);
  private static final String ONLY = System.getProperty("mie.fuzz.only", "");
  private static final Path CORPORA = Path.of(System.getProperty("mie.fuzz.corpus", "target/fuzz"));
  private static final long SEED = Long.getLong("mie.fuzz.seed", System.nanoTime());

  private Fuzzing() {}

  /// Fuzzes a target, and throws what it finds.
  ///
  /// @param inTheSuite how long where nothing is set
  /// @return inputs that were tried, where they were counted; 1 after Jazzer
  public static long run(Class<? extends FuzzTarget> target, Duration inTheSuite)
      throws IOException, InterruptedException {
    Path corpus = CORPORA.resolve(target.getSimpleName());
    if (JAZZER_SECONDS > 0) {
      if (target.getSimpleName().contains(ONLY)) {
        new Jazzer(target, corpus.toAbsolutePath()).run(JAZZER_SECONDS);
      }
      return 1;
    }
    try (FuzzTarget opened = open(target.getName())) {
      return new RandomRun(opened, SEED).run(inTheSuite);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(target + " cannot be closed", e);
    }
  }

  static FuzzTarget open(String name) {
    try {
      return (FuzzTarget) Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no target of fuzzers: " + name, e);
    }
  }
}
