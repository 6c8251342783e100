package io.miniinference.repository;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// A process that looks at a repository and has no more rights than a pod: root, as which tests may
/// run, reads every folder.
final class OtherUser {
  private static final String NOBODY = "65534";

  private OtherUser() {}

  /// The names of the models that it finds, and `NAME: REASON` for what it leaves out.
  static List<String> lists(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
    }
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            classesOf(ModelRepository.class) + ":" + classesOf(OtherUser.class),
            OtherUser.class.getName(),
            folder.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      process.destroy();
      throw new UncheckedIOException(e);
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
