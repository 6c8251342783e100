package io.miniinference.service.cli;

import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line as a whole. Exit status 0 if all is well, 1 if a check or a model failed, 2 for
/// wrong use; errors are told on standard error, without stack traces.
@Command(
    name = "mie",
    description = "ONNX models from one planned, fixed pool of device memory.",
    subcommands = {
      DevicesCommand.class,
      PlanCommand.class,
      KernelsCommand.class,
      RunCommand.class,
      VerifyCommand.class,
      CompletionCommand.class,
      TextsCommand.class
    },
    mixinStandardHelpOptions = true)
public final class CommandLines implements Runnable {
  /// All is well.
  static final int OK = 0;

  /// A check or a model failed.
  static final int FAILED = 1;

  /// The command was used wrongly.
  static final int WRONG_USE = 2;

  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  /// So that no name of a property is broken.
  private static final int HELP_COLUMNS = 110;

  @Spec private CommandSpec spec = CommandSpec.create();

  private CommandLines() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is needed");
  }

  /// Runs a command to its end, except that `serve` returns when the service has started.
  ///
  /// @param service starts the service with the properties given as `--name=value`
  /// @return the exit status
  public static int execute(String[] args, Consumer<List<String>> service) {
    return ServeCommand.startAtOnce(args, service).orElseGet(() -> parse(args, service));
  }

  /* What the engine logs reads like what a command tells, unless somebody chose otherwise. */
  private static void logInLines() {
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "mie: %5$s%n");
    }
  }

  private static int parse(String[] args, Consumer<List<String>> service) {
    logInLines();
    IFactory factory = CommandLine.defaultFactory();
    var line = new CommandLine(new CommandLines(), factory);
    line.addSubcommand("serve", new ServeCommand(service));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(HELP_COLUMNS);
    line.setExecutionExceptionHandler(new Complaints());
    line.setParameterExceptionHandler(CommandLines::wrongUse);
    line.getCommandSpec().versionProvider(new Version());
    line.getSubcommands().values().forEach(c -> c.getCommandSpec().versionProvider(new Version()));
    return line.execute(args);
  }

  /* The error comes last, where it is seen. */
  private static int wrongUse(ParameterException error, String[] args) {
    CommandLine line = error.getCommandLine();
    line.getErr().println("usage: " + line.getHelp().synopsis(0).strip());
    line.getErr().println("mie: " + error.getMessage());
    return WRONG_USE;
  }
}
