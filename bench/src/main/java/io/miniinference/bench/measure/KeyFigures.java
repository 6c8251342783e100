package io.miniinference.bench.measure;

import module java.base;

/// The few figures that a reader sees first: of the engine beside what a user would pick instead.
final class KeyFigures {
  private static final String GPU = "OPENCL_GPU";
  private static final String CPU = "OPENCL_CPU";

  private static final List<Key> KEYS =
      List.of(
          new Key("models", CPU, "mnist-cnn", "batch 1", "ONNX Runtime"),
          new Key("models", CPU, "mnist-deep", "batch 32", "ONNX Runtime"),
          new Key("models", CPU, "number-words", "batch 32", "ONNX Runtime"),
          new Key("jvm", "JVM", "mnist-cnn", "batch 1", "ONNX Runtime"),
          new Key("models", GPU, "mnist-cnn", "input ordinary, batch 1", "CUDA graph"),
          new Key("models", GPU, "resnet50", "input ordinary, batch 8", "CUDA graph"),
          new Key("models", GPU, "swin_t", "input ordinary, batch 1", "CUDA graph"),
          new Key("pool", GPU, "7/8 to 1 MiB, in place of any", "live 100,000", "pool + touch"));

  private KeyFigures() {}

  /// Which comparison of which suite.
  ///
  /// @param kind of the device
  /// @param parameters as text
  /// @param peer part of its name
  private record Key(String suite, String kind, String name, String parameters, String peer) {
    Optional<String> row(List<SuiteResult> suites) {
      return suites.stream()
          .filter(result -> result.suite().equals(suite) && result.device().kind().equals(kind))
          .flatMap(result ->
              result.comparisons().stream().filter(this::is).map(figure -> row(result, figure)))
          .findFirst();
    }

    private boolean is(Comparison figure) {
      return figure.name().equals(name)
          && figure.parameters().text().equals(parameters)
          && figure.peer().contains(peer);
    }

    private String row(SuiteResult result, Comparison figure) {
      String median =
          result.measurements().stream()
              .filter(of -> of.name().equals(name) && of.unit() == Unit.MICROSECONDS)
              .filter(of -> of.parameters().equals(figure.parameters()))
              .filter(of -> of.subject().equals(figure.subject()))
              .findFirst()
              .map(of -> of.spread().medianText() + " " + of.unit().symbol())
              .orElse("");
      return "| %s, %s | %s | %s | %s | %s | %s |\n"
          .formatted(
              name,
              parameters,
              result.device().name(),
              figure.subject(),
              median,
              figure.peer(),
              figure.ratio().text());
    }
  }

  /// A row each; the latest result that has a figure gives it.
  static String table(Map<String, Results> files) {
    List<SuiteResult> suites =
        files.values().stream()
            .sorted(Comparator.comparing(Results::date).reversed())
            .flatMap(file -> file.suites().stream())
            .toList();
    return KEYS.stream()
        .flatMap(key -> key.row(suites).stream())
        .collect(
            Collectors.joining(
                "",
                "\n| what | on | runs | median | beside | time ÷ its time |\n|---|---|---|--:|---|--:|\n",
                "\n"));
  }
}
