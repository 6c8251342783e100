package io.miniinference.bench;

import io.miniinference.bench.suite.SizeRange;
import picocli.CommandLine;

/// The program `./mie bench`.
public final class Bench {
  private static final int WRONG_USE = 2;

  private Bench() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    var line = new CommandLine(new BenchCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(SizeRange.class, Bench::sizes);
    line.setExecutionExceptionHandler(new ErrorLines());
    line.setParameterExceptionHandler(Bench::wrongUse);
    return line;
  }

  private static SizeRange sizes(String text) {
    try {
      return SizeRange.of(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(e.getMessage());
    }
  }

  /* The error comes last, where it is seen. */
  private static int wrongUse(CommandLine.ParameterException error, String[] args) {
    CommandLine line = error.getCommandLine();
    line.getErr().println("usage: " + line.getHelp().synopsis(0).strip());
    line.getErr().println("mie: " + error.getMessage());
    return WRONG_USE;
  }
}
