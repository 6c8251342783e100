package io.miniinference.bench;

import io.miniinference.bench.suite.BenchException;
import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.LoadRefusedException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/// Prints what went wrong on standard error; a stack trace only where it was not expected.
final class ErrorLines implements IExecutionExceptionHandler {
  private static final int FAILED = 1;

  @Override
  public int handleExecutionException(Exception failure, CommandLine line, ParseResult parsed) {
    switch (failure) {
      case BenchException _,
          DeviceException _,
          ModelException _,
          LoadRefusedException _,
          IllegalArgumentException _ ->
          line.getErr().println("mie: " + failure.getMessage());
      default -> failure.printStackTrace(line.getErr());
    }
    return FAILED;
  }
}
