package io.miniinference.bench.serving;

import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Setting;
import io.miniinference.runtime.EngineOptions;

/// A service in a process of its own, which says on its standard output where it listens and when
/// it is ready.
///
/// @param http its port
/// @param grpc its other port
record Service(Process process, int http, int grpc) implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("mie.root", "."));
  private static final Path PEER = ROOT.resolve("bench/serving/Peer.java");

  /// In any order: both ports, and that it is ready.
  private static final Pattern READY =
      Pattern.compile(
          "(?s)(?=.*listening on http://localhost:(\\d+))"
              + "(?=.*listening for gRPC on port (\\d+)).* ready( |$)");

  /// Whether all that is started is here.
  static boolean isClone() {
    return Files.exists(PEER);
  }

  /// The engine's, started by the script that its users start it by, with more options than where
  /// it runs.
  static Service engine(Setting setting, String... more) {
    EngineOptions options = setting.engine();
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("mie").toString(), "serve"));
    command.add("--server.port=0");
    command.add("--engine.device=" + options.device());
    command.add("--engine.cache.directory=" + options.cache());
    command.addAll(List.of(more));
    return start(command);
  }

  /// The peer, on the application's libraries, which are there once the engine has started, and on
  /// this program's, of which it takes ONNX Runtime.
  static Service peer(Path model) {
    String application = ROOT.resolve("engine-service/target/app").toString();
    String classes =
        String.join(
            File.pathSeparator,
            application + "/engine-service.jar",
            application + "/lib/*",
            System.getProperty("java.class.path"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return start(
        List.of(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classes,
            PEER.toString(),
            model.toString()));
  }

  private static Service start(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process.toHandle()::destroy));
      BufferedReader lines = process.inputReader();
      var told = new StringBuilder();
      Matcher ready = READY.matcher(told);
      while (!ready.reset().lookingAt()) {
        String line = lines.readLine();
        if (line == null) {
          throw new BenchException("a service ended before it was ready:\n" + told);
        }
        told.append(line).append('\n');
      }
      /* So that the service is not held back by what nobody reads. */
      Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
      return new Service(
          process, Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
    } catch (IOException e) {
      throw new BenchException("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }

  /* By its handle, since a process that is destroyed itself closes what is still read. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.toHandle().destroy();
  }
}
