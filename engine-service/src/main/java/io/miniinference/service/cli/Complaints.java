package io.miniinference.service.cli;

import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.repository.RepositoryException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.RequestFailedException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Tells what went wrong, and only that; a defect of the engine also shows where it is.
final class Complaints implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(Exception error, CommandLine line, ParseResult parsed) {
    PrintWriter err = line.getErr();
    if (error instanceof IllegalArgumentException wrong) {
      err.println("mie: " + wrong.getMessage());
      return CommandLines.WRONG_USE;
    }
    if (error instanceof ParameterException wrong) {
      err.println("mie: " + wrong.getMessage());
      return CommandLines.WRONG_USE;
    }
    err.println("mie: " + (isExpected(error) ? error.getMessage() : "defect: " + error));
    return CommandLines.FAILED;
  }

  private static boolean isExpected(Exception error) {
    return error instanceof ModelException
        || error instanceof LoadRefusedException
        || error instanceof DeviceException
        || error instanceof InvalidRequestException
        || error instanceof RequestFailedException
        || error instanceof RepositoryException
        || error instanceof UncheckedIOException;
  }
}
