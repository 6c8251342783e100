package io.miniinference.service.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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

  @Parameters(arity = "0..1", paramLabel = "bash", description = "the shell", defaultValue = "bash")
  @SuppressWarnings("UnusedVariable") // there is one to choose
  private Shell shell = Shell.BASH;

  /// Shells whose completion there is.
  enum Shell {
    BASH
  }

  @Override
  public Integer call() {
    var line = spec.commandLine();
    line.getOut().print(AutoComplete.bash("mie", line.getParent()));
    line.getOut().flush();
    return CommandLines.OK;
  }
}
