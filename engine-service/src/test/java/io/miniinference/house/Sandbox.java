package io.miniinference.house;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A folder in which a script runs and finds no commands but those put there: `bin` is its whole
/// `PATH`, and its environment is empty otherwise.
///
/// @param folder an empty folder; calls start in it
record Sandbox(Path folder) {
  /// What a call of a script left behind.
  record Outcome(int status, String out, String err) {}

  Path bin() {
    return folder.resolve("bin");
  }

  /// Makes commands of this machine known to scripts.
  void offer(List<String> tools) throws IOException {
    for (String tool : tools) {
      command(bin().resolve(tool), "exec " + whereIs(tool) + " \"$@\"");
    }
  }

  /// Writes a shell script in place of what may be there.
  static void command(Path file, String script) throws IOException {
    Files.deleteIfExists(file);
    write(file, "#!/bin/sh\n" + script + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /// Runs a script to its end.
  Outcome run(Map<String, String> environment, Path script, String... arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of(script.toString()), Stream.of(arguments)).toList())
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin().toString());
    builder.environment().putAll(environment);
    int status = builder.start().waitFor();
    return new Outcome(status, Files.readString(out), Files.readString(err));
  }

  private static Path whereIs(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(path -> Path.of(path, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException(tool + " is not on the PATH, and the script needs it"));
  }
}
