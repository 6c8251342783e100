package io.miniinference.bench.report;

import io.miniinference.bench.measure.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
          new Key("models", GPU, "mnist-deep", "input ordinary, batch 256", "CUDA graph"),
          new Key("models", GPU, "mnist-deep", "input ordinary, batch 256", "eager"),
          new Key("pool", GPU, "7/8 to 1 MiB, in place of any", "live 100,000", "pool + touch"));

  private KeyFigures() {}

  /// Which comparison of which suite.
  ///
  /// @param kind of the device
  /// @param parameters as text
  /// @param peer part of its name
  private record Key(String suite, String kind, String name, String parameters, String peer) {
    private Stream<String> row(FiguresPage.File file) {
      return file.results().suites().stream()
          .filter(result -> result.suite().equals(suite) && result.device().kind().equals(kind))
          .flatMap(result ->
              result.comparisons().stream().filter(this::is).map(figure -> row(result, figure)));
    }

    private boolean is(Comparison figure) {
      return figure.name().equals(name)
          && figure.parameters().text().equals(parameters)
          && figure.peer().contains(peer);
    }

    private static String row(SuiteResult result, Comparison figure) {
      return "| %s, %s | %s | %s | %s | %s | %s |\n"
          .formatted(
              figure.name(),
              figure.parameters().text(),
              result.device().name(),
              figure.subject(),
              median(result, figure),
              figure.peer(),
              figure.ratio().text());
    }

    private static String median(SuiteResult result, Comparison figure) {
      return result.measurements().stream()
          .filter(of -> of.name().equals(figure.name()) && of.unit().isTime())
          .filter(of -> of.parameters().equals(figure.parameters()))
          .filter(of -> of.subject().equals(figure.subject()))
          .findFirst()
          .map(of -> of.spread().medianText() + " " + of.unit().symbol())
          .orElse("");
    }
  }

  /// A row each; the first result that has a figure gives it.
  static String table(List<FiguresPage.File> files) {
    List<String> rows = new ArrayList<>();
    rows.add("\n| what | on | runs | median | beside | time ÷ its time |\n");
    rows.add("|---|---|---|--:|---|--:|\n");
    for (Key key : KEYS) {
      files.stream().flatMap(key::row).findFirst().ifPresent(rows::add);
    }
    return String.join("", rows) + "\n";
  }
}
