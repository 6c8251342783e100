package io.miniinference.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Starts a class of the tests as a process of its own, since drivers are looked for, and caches
/// chosen, once per process.
public final class Child {
  private Child() {}

  public static Process start(Class<?> main, Map<String, String> environment, String... arguments)
      throws IOException {
    return start(main, environment, List.of("--enable-native-access=ALL-UNNAMED"), arguments);
  }

  /// The same with other options of the JVM.
  public static Process start(
      Class<?> main, Map<String, String> environment, List<String> options, String... arguments)
      throws IOException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-cp", path, main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }
}
