package io.miniinference.bench;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Setting;
import io.miniinference.repository.ModelFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// One model of a user's, measured and told in a line for each batch size.
final class SingleModel {
  private static final String MODEL = "model.onnx";

  private SingleModel() {}

  /// The file that a line of arguments names in place of suites.
  ///
  /// @throws BenchException if it is not there
  static Optional<Path> fileOf(List<String> names) {
    if (names.size() != 1 || !isPath(names.getFirst())) {
      return Optional.empty();
    }
    Path path = Path.of(names.getFirst());
    Path file = Files.isDirectory(path) ? path.resolve(MODEL) : path;
    if (!Files.isRegularFile(file)) {
      throw new BenchException("there is no file '" + file + "'");
    }
    return Optional.of(file);
  }

  private static boolean isPath(String name) {
    return name.endsWith(".onnx") || name.contains("/");
  }

  /// What came out.
  ///
  /// @param problems of a model that cannot be run, or computes something else than its peer
  record Outcome(SuiteResult result, List<String> problems) {
    boolean isMeasured() {
      return problems.isEmpty() && !times().isEmpty();
    }

    private List<Measurement> times() {
      return result.measurements().stream()
          .filter(one -> one.unit() == Unit.MICROSECONDS)
          .filter(
              one -> result.comparisons().stream().noneMatch(c -> c.peer().equals(one.subject())))
          .toList();
    }

    /* One for each peer, on a GPU PyTorch as one calls it and as a CUDA graph. */
    private List<Comparison> beside(Measurement time) {
      return result.comparisons().stream()
          .filter(one -> one.parameters().equals(time.parameters()))
          .filter(one -> one.subject().equals(time.subject()))
          .toList();
    }

    /// A line for each time; notes and problems were told as they came.
    String text() {
      return times().stream().map(this::line).collect(Collectors.joining());
    }

    private String line(Measurement time) {
      String own =
          String.format(
              Locale.ROOT,
              "%s, %s, on %s: %,.1f µs",
              time.name(),
              time.parameters().text(),
              result.device().name(),
              time.spread().median());
      return own
          + beside(time).stream().map(one -> ", " + one.beside()).collect(Collectors.joining())
          + "\n";
    }

    String json() {
      Map<String, Object> root = new LinkedHashMap<>();
      root.put("device", result.device().name());
      root.put("results", times().stream().map(this::fields).toList());
      root.put("notes", result.notes());
      root.put("problems", problems);
      return JsonMapper.builder().build().writeValueAsString(root);
    }

    private Map<String, Object> fields(Measurement time) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("model", time.name());
      fields.put("setting", time.parameters().text());
      fields.put("microseconds", time.spread().median());
      Map<String, Double> ratios = new LinkedHashMap<>();
      beside(time).forEach(one -> ratios.put(one.peer(), one.ratio().value()));
      fields.put("timeRatios", ratios);
      return fields;
    }
  }

  static Outcome measure(Path file, Setting setting) {
    SuiteResult result = ModelsSuite.measure(new ModelFile(nameOf(file), "1", file), setting);
    return new Outcome(result, result.problems());
  }

  /// The file's own name; for `model.onnx` that of its folder.
  private static String nameOf(Path file) {
    String own = String.valueOf(file.getFileName());
    Path folder = file.toAbsolutePath().normalize().getParent();
    Path above = folder == null ? null : folder.getFileName();
    return own.equals(MODEL) && above != null
        ? above.toString()
        : own.substring(0, own.length() - (own.endsWith(".onnx") ? ".onnx".length() : 0));
  }
}
