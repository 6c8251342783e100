package io.miniinference.bench;

import picocli.CommandLine;

/// The program `./mie bench`.
public final class Bench {
  private Bench() {}

  public static void main(String[] args) {
    var line = new CommandLine(new BenchCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(new Complaints());
    System.exit(line.execute(args));
  }
}
