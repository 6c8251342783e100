package io.miniinference.bench;

import module java.base;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.repository.ModelFile;
import tools.jackson.databind.json.JsonMapper;

/// One model of a user's, measured and told in a line for each batch size.
record SingleModel(SuiteResult result) {

  /// The file that a line of arguments names in place of suites.
  ///
  /// @throws IllegalArgumentException if it is not there
  static Optional<ModelFile> fileOf(List<String> names) {
    if (names.size() != 1 || !isFile(names.getFirst())) {
      return Optional.empty();
    }
    Path path = Path.of(names.getFirst());
    ModelFile file = ModelFile.of(path);
    if (!Files.isRegularFile(file.path())) {
      throw new IllegalArgumentException(
          Files.isDirectory(path)
              ? "the folder '%s' has no model.onnx; a repository is --models %s"
                  .formatted(path, path)
              : "there is no file '%s'".formatted(path));
    }
    return Optional.of(file);
  }

  private static boolean isFile(String name) {
    boolean isSuite = Suites.ALL.stream().anyMatch(suite -> suite.name().equals(name));
    return name.endsWith(".onnx")
        || name.contains("/")
        || (!isSuite && Files.isDirectory(Path.of(name)));
  }

  static SingleModel measure(ModelFile file, Setting setting, Consumer<String> progress) {
    var alone = new Suite("models", file.name(), it -> ModelsSuite.besidePeers(file, it));
    return new SingleModel(alone.run(setting, progress).orElseThrow());
  }

  boolean isMeasured() {
    return result.problems().isEmpty() && times().findAny().isPresent();
  }

  private Stream<Measurement> times() {
    return result.measurements().stream()
        .filter(one -> one.unit() == Unit.MICROSECONDS && one.subject().equals("engine"));
  }

  /* One for each peer, on a GPU PyTorch as one calls it and as a CUDA graph. */
  private Stream<Comparison> beside(Measurement time) {
    return result.comparisons().stream().filter(one -> one.parameters().equals(time.parameters()));
  }

  /// A line for each time; notes and problems were told as they came.
  String text() {
    return times().map(this::line).collect(Collectors.joining());
  }

  private String line(Measurement time) {
    String name = time.parameters().behind(time.name()) + ", on " + result.device().name();
    String own = String.format(Locale.ROOT, "%s: %,.1f µs", name, time.spread().median());
    return Stream.concat(Stream.of(own), beside(time).map(Comparison::beside))
        .collect(Collectors.joining(", ", "", "\n"));
  }

  String json() {
    List<Time> times = times().map(this::told).toList();
    var told = new Told(result.device().name(), times, result.notes(), result.problems());
    return JsonMapper.shared().writeValueAsString(told);
  }

  private Time told(Measurement time) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    beside(time).forEach(one -> ratios.put(one.peer(), one.ratio().value()));
    return new Time(time.name(), time.parameters().text(), time.spread().median(), ratios);
  }

  /// The fields of `--json`.
  private record Told(
      String device, List<Time> results, List<String> notes, List<String> problems) {}

  /// @param timeRatios of this time over that of each peer, by its name
  private record Time(
      String model, String setting, double microseconds, Map<String, Double> timeRatios) {}
}
