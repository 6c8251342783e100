import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// What a start costs until READY, on each device: `taskset -c 0,1 java bench/Start.java ./mie [ROUNDS [DEVICE ...]]`.
///
/// Devices take turns. The first start of each, which fills the caches, is not counted, nor is any before the classes of
/// a start are kept (`engine-service.aot` beside the jar). Time is that of the wall and CPU time of the process, both of
/// the line that says `ready`; the script's part is in them.
final class Start {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int POLL_MILLIS = 5;

  private final Path program;
  private final Path cache;
  private final Path log;

  private Start(Path program, Path scratch) {
    this.program = program;
    cache = scratch.resolve("cache");
    log = scratch.resolve("log");
  }

  private record Cost(double wallSeconds, double cpuSeconds) {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      System.err.println("Usage: java bench/Start.java ./mie [ROUNDS [DEVICE ...]]");
      System.exit(2);
    }
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    List<String> devices = args.length > 2 ? List.of(args).subList(2, args.length) : List.of("jvm", "opencl");
    var start = new Start(Path.of(args[0]).toRealPath(), Files.createTempDirectory("mie-start"));
    start.awaitClasses();
    List<List<Cost>> all = new ArrayList<>();
    for (String device : devices) {
      start.once(device);
      all.add(new ArrayList<>());
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < devices.size(); i++) {
        all.get(i).add(start.once(devices.get(i)));
      }
    }
    for (int i = 0; i < devices.size(); i++) {
      print(devices.get(i), all.get(i));
    }
  }

  /// Starts once more and waits until the classes of a start are kept; a bundle brings its own.
  private void awaitClasses() throws Exception {
    once("jvm");
    Path kept = program.resolveSibling("engine-service/target/app/engine-service.aot");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (Files.exists(kept.resolveSibling("engine-service.jar")) && !Files.exists(kept)) {
      if (System.nanoTime() > end) {
        System.out.println("no classes are kept in " + kept + ": the figures are those of starts without");
        return;
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private Cost once(String device) throws Exception {
    Files.deleteIfExists(log);
    long begun = System.nanoTime();
    Process service = service(device);
    try {
      while (!isReady()) {
        if (!service.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw new IllegalStateException("it does not start:\n" + Files.readString(log));
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      double wall = (System.nanoTime() - begun) / 1e9;
      return new Cost(wall, service.info().totalCpuDuration().orElseThrow().toMillis() / 1e3);
    } finally {
      service.destroy();
      service.waitFor();
    }
  }

  private Process service(String device) throws IOException {
    return new ProcessBuilder(
            program.toString(), "serve", "--engine.device=" + device, "--engine.cache.directory=" + cache,
            "--server.port=" + freePort(), "--spring.grpc.server.port=" + freePort())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private boolean isReady() throws IOException {
    return Files.exists(log) && Files.readString(log).contains(": ready after ");
  }

  private static void print(String device, List<Cost> costs) {
    System.out.printf(
        Locale.ROOT,
        "%-7s READY after %.2f s (%.2f to %.2f), %.2f CPU s (%.2f to %.2f), medians of %d%n",
        device,
        median(costs.stream().mapToDouble(Cost::wallSeconds).toArray()),
        costs.stream().mapToDouble(Cost::wallSeconds).min().orElseThrow(),
        costs.stream().mapToDouble(Cost::wallSeconds).max().orElseThrow(),
        median(costs.stream().mapToDouble(Cost::cpuSeconds).toArray()),
        costs.stream().mapToDouble(Cost::cpuSeconds).min().orElseThrow(),
        costs.stream().mapToDouble(Cost::cpuSeconds).max().orElseThrow(),
        costs.size());
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
