package io.miniinference.service.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `texts`: what the start script prints without a JVM, a file for each command's help.
@Command(name = "texts", hidden = true, description = "Writes the help texts of all commands.")
final class TextsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "DIR", description = "where to write")
  private Path folder = Path.of("");

  @Override
  public Integer call() {
    CommandLine all = spec.commandLine().getParent();
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, CommandLine> command : all.getSubcommands().entrySet()) {
        write(command.getKey(), command.getValue().getUsageMessage());
      }
      Files.writeString(folder.resolve("completion.bash"), AutoComplete.bash("mie", all));
      write("--version", Version.line() + "\n");
      write("-V", Version.line() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write help texts to " + folder, e);
    }
    return CommandLines.OK;
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name + ".txt"), text);
  }
}
