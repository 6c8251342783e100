package io.miniinference.bench;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.LoadRefusedException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The program `./mie bench`.
public final class Bench {
  private Bench() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = Setting.commandLine(new BenchCommand());
    line.setExecutionExceptionHandler(Bench::failed);
    line.setParameterExceptionHandler(Bench::wrongUse);
    return line;
  }

  /* A stack trace only of what was not expected. */
  private static int failed(Exception failure, CommandLine line, ParseResult parsed) {
    switch (failure) {
      case BenchException _,
          DeviceException _,
          ModelException _,
          LoadRefusedException _,
          IllegalArgumentException _ ->
          line.getErr().println("mie: " + failure.getMessage());
      default -> failure.printStackTrace(line.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  /* The error comes last, where it is seen. */
  private static int wrongUse(ParameterException error, String[] args) {
    CommandLine line = error.getCommandLine();
    line.getErr().println("usage: " + line.getHelp().synopsis(0).strip());
    line.getErr().println("mie: " + error.getMessage());
    return ExitCode.USAGE;
  }
}
