package io.miniinference.bench;

import module java.base;

import java.lang.management.ManagementFactory;

/// This program once more, in a JVM that sees a given number of processors: device workers and
/// thread pools are as many as the JVM sees when it starts.
final class Relaunch {
  private static final String PROCESSORS = "-XX:ActiveProcessorCount=";

  private Relaunch() {}

  static boolean isNeeded(int threads) {
    return Runtime.getRuntime().availableProcessors() != threads;
  }

  /// Runs it with the same streams, and gives its exit status; it does not outlive this one.
  static int withThreads(int threads, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.removeIf(argument -> argument.startsWith(PROCESSORS));
    command.add(PROCESSORS + threads);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.addAll(arguments);
    Process child = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(child::destroy));
    return child.waitFor();
  }
}
