package io.miniinference.service.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `serve`: the service, in this process.
@Command(
    name = "serve",
    description = {
      "Starts the service on the best device.",
      "Properties are given as --name=value, such as --engine.pool.capacity=512MB, --engine.device=jvm,",
      "--engine.models.repository=DIR (a folder of NAME/VERSION/model.onnx), --engine.batching.max-size=64,",
      "--server.port=9000, or --spring.profiles.active=triton."
    },
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private final Consumer<List<String>> service;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Unmatched private List<String> properties = new ArrayList<>();

  ServeCommand(Consumer<List<String>> service) {
    this.service = service;
  }

  @Override
  public Integer call() {
    for (String property : properties) {
      if (!property.matches("--[^=]+(=.*)?")) {
        throw new ParameterException(
            spec.commandLine(), "serve takes --property=value, and got: " + property);
      }
    }
    return start();
  }

  /// Spring has told why, when it throws.
  private int start() {
    try {
      service.accept(properties);
      return CommandLines.OK;
    } catch (RuntimeException e) {
      return CommandLines.FAILED;
    }
  }
}
