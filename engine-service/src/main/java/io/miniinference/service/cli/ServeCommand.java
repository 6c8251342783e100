package io.miniinference.service.cli;

import java.nio.file.Files;
import java.nio.file.Path;
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
      "Starts the service on the best device, with the bundled models, a MODEL.onnx, or a folder of models.",
      "Properties are given as --name=value, such as --engine.pool.capacity=512MB, --engine.device=jvm,",
      "--engine.models.repository=DIR, --engine.batching.max-size=64, --server.port=9000,",
      "or --spring.profiles.active=triton."
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
    properties.replaceAll(this::property);
    return start();
  }

  /* A model's file or a folder is short for the repository. */
  private String property(String argument) {
    if (argument.matches("--[^=]+(=.*)?")) {
      return argument;
    }
    if (!argument.startsWith("-") && Files.exists(Path.of(argument))) {
      return "--engine.models.repository=" + argument;
    }
    throw new ParameterException(
        spec.commandLine(),
        "serve takes a model's file, a folder of models and --property=value, and got: "
            + argument);
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
