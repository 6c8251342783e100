package io.miniinference.testing.fuzz;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// Jazzer (github.com/CodeIntelligenceTesting/jazzer) in a process of its own, which is led by what
/// an input reaches in the engine's classes. Its corpus stays in a folder from run to run and
/// grows; what breaks the target is written beside it. What takes too much of the heap or of time
/// there is tried again in this process, whose classes are as they ship.
record Jazzer(Class<? extends FuzzTarget> target, Path corpus) {
  private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";

  /// Jazzer ends with an input that takes longer; what takes longer than [Trial#LONGEST] is tried
  /// again.
  private static final int MOST_SECONDS = 300;

  /// What checks answers is no part of what is looked into: megabytes would take it half a minute.
  private static final String CHECKS =
      "io.miniinference.testing.**:io.miniinference.service.fuzz.**";

  void run(long seconds) throws IOException, InterruptedException {
    Files.createDirectories(corpus);
    addSeeds();
    suspects().clear();
    Path found = Files.createDirectories(corpus.resolveSibling("found"));
    Path log = corpus.resolveSibling(target.getSimpleName() + ".log");
    Process process =
        new ProcessBuilder(command(seconds, found))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new AssertionError(
            "%s: Jazzer ended with status %d (see %s); inputs that break the target are in %s. %s"
                .formatted(target.getSimpleName(), status, log, found, finding(log)));
      }
    } finally {
      process.destroyForcibly();
    }
    List<byte[]> again = suspects().all();
    withTarget(opened -> new RandomRun(opened, 0).replay(again));
    System.out.printf(
        "%s: %s, %d inputs tried again%n", target.getSimpleName(), lastLine(log), again.size());
  }

  private Suspects suspects() {
    return new Suspects(corpus.resolveSibling(target.getSimpleName() + "-suspects"));
  }

  private interface Use {
    void of(FuzzTarget opened) throws IOException, InterruptedException;
  }

  private void withTarget(Use use) throws IOException, InterruptedException {
    try (FuzzTarget opened = Fuzzing.open(target.getName())) {
      use.of(opened);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(target + " cannot be closed", e);
    }
  }

  /* What is read where only the message is kept, as in the log of a build elsewhere. */
  private static String finding(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.dropWhile(line -> !line.startsWith("== ")).limit(40).collect(joining("\n"));
    }
  }

  private static String lastLine(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.startsWith("Done ")).reduce("", (_, last) -> last);
    }
  }

  private void addSeeds() throws IOException, InterruptedException {
    withTarget(opened -> {
      for (byte[] seed : opened.seeds()) {
        Files.write(corpus.resolve("seed-" + name(seed)), seed);
      }
    });
  }

  /// A file name of its own for an input.
  static String name(byte[] seed) {
    CRC32 crc = new CRC32();
    crc.update(seed);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  private List<String> command(long seconds, Path found) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-XX:+EnableDynamicAgentLoading",
        "-Xmx2g",
        "-cp",
        Objects.requireNonNull(System.getProperty("java.class.path")),
        "-D" + JazzerTarget.TARGET + "=" + target.getName(),
        "-D" + JazzerTarget.SUSPECTS + "=" + suspects().folder(),
        MAIN,
        "--target_class=" + JazzerTarget.class.getName(),
        "--instrumentation_includes=io.miniinference.**",
        "--instrumentation_excludes=" + CHECKS,
        "--custom_hook_includes=io.miniinference.**",
        "--custom_hook_excludes=" + CHECKS,
        "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery",
        "--reproducer_path=" + found,
        "-artifact_prefix=" + found + "/" + target.getSimpleName() + "-",
        "-max_total_time=" + seconds,
        "-timeout=" + MOST_SECONDS,
        "-rss_limit_mb=0",
        "-max_len=65536",
        corpus.toString());
  }
}
