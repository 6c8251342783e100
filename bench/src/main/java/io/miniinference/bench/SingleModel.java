package io.miniinference.bench;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.repository.ModelFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
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
  record Outcome(SuiteResult result) {
    boolean isMeasured() {
      return result.problems().isEmpty() && !times().isEmpty();
    }

    private List<Measurement> times() {
      return result.measurements().stream()
          .filter(one -> one.unit() == Unit.MICROSECONDS && one.subject().equals("engine"))
          .toList();
    }

    /* One for each peer, on a GPU PyTorch as one calls it and as a CUDA graph. */
    private List<Comparison> beside(Measurement time) {
      return result.comparisons().stream()
          .filter(one -> one.parameters().equals(time.parameters()))
          .toList();
    }

    /// A line for each time; notes and problems were told as they came.
    String text() {
      return times().stream().map(this::line).collect(Collectors.joining());
    }

    private String line(Measurement time) {
      var line = new StringJoiner(", ", "", "\n");
      line.add(time.parameters().behind(time.name()));
      String micros = String.format(Locale.ROOT, "%,.1f µs", time.spread().median());
      line.add("on " + result.device().name() + ": " + micros);
      beside(time).forEach(one -> line.add(one.beside()));
      return line.toString();
    }

    String json() {
      return JsonMapper.shared()
          .writeValueAsString(
              new Told(
                  result.device().name(),
                  times().stream().map(this::told).toList(),
                  result.notes(),
                  result.problems()));
    }

    private Time told(Measurement time) {
      Map<String, Double> ratios = new LinkedHashMap<>();
      beside(time).forEach(one -> ratios.put(one.peer(), one.ratio().value()));
      String setting = time.parameters().text();
      return new Time(time.name(), setting, time.spread().median(), ratios);
    }
  }

  /// The fields of `--json`.
  private record Told(
      String device, List<Time> results, List<String> notes, List<String> problems) {}

  /// @param timeRatios of this time over that of each peer, by its name
  private record Time(
      String model, String setting, double microseconds, Map<String, Double> timeRatios) {}

  static Outcome measure(Path file, Setting setting) {
    return new Outcome(ModelsSuite.of(new ModelFile(nameOf(file), "1", file), setting));
  }

  /// The file's own name; for `model.onnx` that of its folder.
  private static String nameOf(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    int names = whole.getNameCount();
    boolean isInFolder = whole.endsWith(MODEL) && names > 1;
    return whole
        .getName(isInFolder ? names - 2 : names - 1)
        .toString()
        .replaceFirst("\\.onnx$", "");
  }
}
