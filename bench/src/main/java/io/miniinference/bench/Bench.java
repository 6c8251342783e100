package io.miniinference.bench;

import picocli.CommandLine;

/// The program `./mie bench`.
public final class Bench {
  private Bench() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    var line = new CommandLine(new BenchCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(new ErrorLines());
    return line;
  }
}
