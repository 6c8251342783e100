package io.miniinference.service.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `serve`: the service, in this process.
@Command(
    name = "serve",
    customSynopsis = "mie serve [-hV] [MODEL.onnx | FOLDER] [--property=value]...",
    description = {
      "Starts the service on the best device, with the bundled models, a MODEL.onnx, or a folder of models.",
      "Properties are given as --name=value, such as --engine.pool.capacity=512MB, --engine.device=jvm,",
      "--engine.models.repository=DIR, --engine.batching.max-size=64, --server.port=9000,",
      "or --spring.profiles.active=triton."
    },
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final String REPOSITORY = "--engine.models.repository=";
  private static final Set<String> PLAIN = Set.of("debug", "trace");

  private final Consumer<List<String>> service;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Unmatched private List<String> properties = new ArrayList<>();

  ServeCommand(Consumer<List<String>> service) {
    this.service = service;
  }

  @Override
  public Integer call() {
    requireOneRepository();
    properties.replaceAll(argument ->
        property(argument)
            .orElseThrow(() -> new ParameterException(spec.commandLine(), wrong(argument))));
    return start(service, properties);
  }

  private void requireOneRepository() {
    List<String> given = properties.stream().filter(ServeCommand::isRepository).toList();
    if (given.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "serve takes one model's file or one folder of models, and got %s: put them into one folder"
              .formatted(String.join(" and ", given)));
    }
  }

  private static boolean isRepository(String argument) {
    return property(argument).filter(property -> property.startsWith(REPOSITORY)).isPresent();
  }

  private static String wrong(String argument) {
    if (!argument.startsWith("-") && (argument.contains("/") || argument.endsWith(".onnx"))) {
      return "there is no file or folder '" + argument + "'";
    }
    return ShortNames.instead(argument)
        .map(instead -> "serve has no option " + argument + ": " + instead)
        .orElse(
            "serve takes a model's file, a folder of models and --property=value (the port is"
                + " --server.port=9000; one of the bundled models alone is"
                + " --engine.models.names=NAME), and got: "
                + argument);
  }

  /// Starts the service if that is all that a line asks for, without the parser of lines, whose
  /// start takes a tenth of the service's.
  ///
  /// @return the exit status, or nothing if the line is the parser's matter
  static OptionalInt startAtOnce(String[] line, Consumer<List<String>> service) {
    if (line.length == 0 || !line[0].equals("serve")) {
      return OptionalInt.empty();
    }
    List<Optional<String>> properties =
        Arrays.stream(line).skip(1).map(ServeCommand::property).toList();
    boolean isOne = Arrays.stream(line).skip(1).filter(ServeCommand::isRepository).count() <= 1;
    return isOne && properties.stream().allMatch(Optional::isPresent)
        ? OptionalInt.of(start(service, properties.stream().map(Optional::orElseThrow).toList()))
        : OptionalInt.empty();
  }

  /* A model's file or a folder is short for the repository. */
  private static Optional<String> property(String argument) {
    if (argument.startsWith("--")) {
      return Optional.of(argument).filter(ServeCommand::isProperty);
    }
    return !argument.startsWith("-") && Files.exists(Path.of(argument))
        ? Optional.of(REPOSITORY + argument)
        : Optional.empty();
  }

  /* All have a dot in their name, but for those by which Spring Boot tells more. */
  private static boolean isProperty(String argument) {
    String name = argument.substring(2).split("=", 2)[0];
    return name.indexOf('.') > 0 || PLAIN.contains(name.toLowerCase(Locale.ROOT));
  }

  /* Spring has told why, when it throws, unless all it wanted was to look at the beans. */
  private static int start(Consumer<List<String>> service, List<String> properties) {
    try {
      service.accept(properties);
      return CommandLines.OK;
    } catch (SpringApplication.AbandonedRunException e) {
      throw e;
    } catch (RuntimeException e) {
      return CommandLines.FAILED;
    }
  }
}
