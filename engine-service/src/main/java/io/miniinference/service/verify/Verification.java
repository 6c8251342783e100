package io.miniinference.service.verify;

import io.miniinference.runtime.Engine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The outcome of a suite on one device.
public record Verification(List<Verdict> verdicts) {
  public Verification {
    verdicts = List.copyOf(verdicts);
  }

  /// Checks all models of a suite, one after the other.
  ///
  /// @param each sees every verdict as it is reached
  public static Verification run(Engine engine, Suite suite, Consumer<Verdict> each) {
    List<Verdict> verdicts = new ArrayList<>();
    for (TestModel test : suite.models()) {
      Verdict verdict = ModelCheck.of(engine, test);
      verdicts.add(verdict);
      each.accept(verdict);
    }
    return new Verification(verdicts);
  }

  public List<Verdict> failed() {
    return verdicts.stream().filter(verdict -> !verdict.isPassed()).toList();
  }

  public int passedCount() {
    return verdicts.size() - failed().size();
  }

  /// An operator that is missing, and in how many models.
  public record Missing(String operator, int models) {}

  /// Missing operators, those that the most models want first.
  public List<Missing> missing() {
    Map<String, Integer> counts = new TreeMap<>();
    failed()
        .forEach(verdict ->
            verdict.missing().forEach(operator -> counts.merge(operator, 1, Integer::sum)));
    return counts.entrySet().stream()
        .map(entry -> new Missing(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingInt(Missing::models).reversed())
        .toList();
  }

  /// `N passed, M failed`
  public String summary() {
    return passedCount() + " passed, " + failed().size() + " failed";
  }
}
