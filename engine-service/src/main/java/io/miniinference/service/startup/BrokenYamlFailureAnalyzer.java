package io.miniinference.service.startup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/// Tells which file of settings is no YAML, and where: the parser knows but the line.
final class BrokenYamlFailureAnalyzer extends AbstractFailureAnalyzer<MarkedYAMLException> {
  private static final List<Path> READ =
      List.of(
          Path.of("application.yaml"),
          Path.of("application.yml"),
          Path.of("config", "application.yaml"),
          Path.of("config", "application.yml"));

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, MarkedYAMLException cause) {
    var mark = cause.getProblemMark();
    String place =
        mark == null
            ? ""
            : ", line %d, column %d".formatted(mark.getLine() + 1, mark.getColumn() + 1);
    return new FailureAnalysis(
        "%s cannot be read as YAML%s: %s".formatted(files(), place, cause.getProblem()),
        "Correct the file.",
        cause);
  }

  /* Those of the working folder, if there are any. */
  private static String files() {
    String there =
        READ.stream()
            .filter(Files::isRegularFile)
            .map(file -> file.toAbsolutePath().toString())
            .collect(Collectors.joining(" or "));
    return there.isEmpty() ? "a file of settings" : there;
  }
}
