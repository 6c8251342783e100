package io.miniinference.bench.measure;

import module java.base;

/// The machine and the Java that a run was made on.
///
/// @param cpu model name of the processor
/// @param cores of the machine
/// @param threads that a runner on a CPU may use
public record Host(String cpu, int cores, int threads, String os, String java) {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  /// This one.
  public static Host current() {
    int threads = Runtime.getRuntime().availableProcessors();
    return new Host(
        lines("model name").findFirst().orElse(System.getProperty("os.arch", "unknown")),
        Math.max(threads, (int) lines("processor").count()),
        threads,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vendor") + " " + Runtime.version());
  }

  /// Values of a key of `/proc/cpuinfo`, one per core; none on other systems.
  private static Stream<String> lines(String key) {
    try {
      return Files.readAllLines(CPUS).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException e) {
      return Stream.of();
    }
  }

  public String text() {
    return "%s, %d core%s, %s, %s".formatted(cpu, cores, cores == 1 ? "" : "s", os, java);
  }
}
