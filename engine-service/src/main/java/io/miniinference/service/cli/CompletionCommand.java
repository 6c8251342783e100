package io.miniinference.service.cli;

import java.util.Set;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `completion`: a script for a shell.
@Command(
    name = "completion",
    description = {
      "Prints completion for bash, and for zsh with bashcompinit:",
      "  source <(./mie completion bash)"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /* One script is for both. */
  private static final Set<String> SHELLS = Set.of("bash", "zsh");

  @Parameters(
      arity = "0..1",
      paramLabel = "bash|zsh",
      description = "the shell",
      defaultValue = "bash")
  private String shell = "bash";

  @Override
  public Integer call() {
    var line = spec.commandLine();
    if (!SHELLS.contains(shell)) {
      throw new ParameterException(
          line, "there is no completion for '%s', only for bash and zsh".formatted(shell));
    }
    line.getOut().print(AutoComplete.bash("mie", line.getParent()));
    line.getOut().flush();
    return CommandLines.OK;
  }
}
