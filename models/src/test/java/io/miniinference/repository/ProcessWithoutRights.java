package io.miniinference.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that looks at a repository and has no rights over files but those of their modes:
/// root, as which tests may run, reads every folder.
final class ProcessWithoutRights {
  private ProcessWithoutRights() {}

  /// The names of the models that it finds, and `NAME: REASON` for what it leaves out.
  static List<String> lists(Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
    }
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            classesOf(ModelRepository.class) + ":" + classesOf(ProcessWithoutRights.class),
            ProcessWithoutRights.class.getName(),
            folder.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static String classesOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /// Prints what a repository has.
  public static void main(String[] arguments) {
    var repository = new ModelRepository(Path.of(arguments[0]));
    repository.models().forEach(model -> System.out.println(model.name()));
    repository
        .skipped()
        .forEach((path, why) -> System.out.println(path.getFileName() + ": " + why));
  }
}
