package io.miniinference.bench.serving;

import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How the services are started: the engine's by the script that its users start it by, the peer on
/// the same libraries.
///
/// @param root of the sources
record Commands(Path root, Setting setting) {

  List<String> engine(String... more) {
    List<String> options = new ArrayList<>(List.of("--engine.models.names=mnist-cnn"));
    options.addAll(List.of(more));
    return serve(options);
  }

  /// The engine's service, with more options than where it runs.
  List<String> serve(List<String> options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                root.resolve("mie").toString(),
                "serve",
                "--server.port=0",
                "--engine.device=" + setting.engine().device(),
                "--engine.cache.directory=" + setting.engine().cache()));
    command.addAll(options);
    return command;
  }

  List<String> engineWithoutBatching() {
    return engine("--engine.batching.enabled=false");
  }

  /* The application's libraries are there once the engine has started; ONNX Runtime's jar is beside this program. */
  List<String> peer() {
    Path application = root.resolve("engine-service/target/app");
    String classes =
        String.join(
            File.pathSeparator,
            application.resolve("engine-service.jar").toString(),
            application.resolve("lib").resolve("*").toString(),
            onnxRuntime());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        classes,
        root.resolve("bench/serving/Peer.java").toString(),
        model());
  }

  private static String onnxRuntime() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Path.of(entry).getFileName().toString().startsWith("onnxruntime"))
        .findFirst()
        .orElseThrow(() -> new BenchException("no jar of ONNX Runtime is on the class path"));
  }

  private String model() {
    return ModelFiles.bundled(setting).stream()
        .filter(file -> file.name().equals("mnist-cnn"))
        .findFirst()
        .orElseThrow()
        .path()
        .toString();
  }
}
