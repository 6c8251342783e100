package io.miniinference.bench.suite;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What a suite has found so far. What goes wrong with one model is a line, and the suite goes on
/// with the next one.
public final class Findings {
  private static final String OURS = "io.miniinference.";

  private final Suite suite;
  private final String across;
  private final Setting setting;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Set<String> problems = new LinkedHashSet<>();

  /// @param across the parameter whose values are a table's columns; empty for one column
  public Findings(Suite suite, String across, Setting setting) {
    this.suite = suite;
    this.across = across;
    this.setting = setting;
  }

  public void add(String name, Parameters parameters, String subject, Unit unit, Spread spread) {
    measurements.add(new Measurement(name, parameters, subject, unit, spread));
  }

  /// Adds a comparison and tells it at once, so that a long run that is cut short is not lost.
  public void add(String name, Parameters parameters, String subject, String peer, Ratio ratio) {
    var comparison = new Comparison(name, parameters, subject, peer, ratio);
    String where = parameters.values().isEmpty() ? name : name + ", " + parameters.text();
    setting.say("%s: %s %s", where, subject, comparison.beside());
    comparisons.add(comparison);
  }

  /// Runs what concerns one model. An exception ends that alone.
  ///
  /// @param model its name, with which the line begins
  public void attempt(String model, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      problem("%s is not measured: %s".formatted(model, message(e)));
    }
  }

  /// Our own exceptions tell thing, value and remedy; of others, the name tells most.
  private static String message(RuntimeException e) {
    boolean isOurs = e.getClass().getName().startsWith(OURS);
    String message = isOurs ? String.valueOf(e.getMessage()) : e.toString();
    return message.lines().map(String::strip).collect(Collectors.joining(" "));
  }

  public void note(String note) {
    setting.say("%s", note);
    notes.add(note);
  }

  public void problem(String problem) {
    setting.complain(problem);
    problems.add(problem);
  }

  public List<Comparison> comparisons() {
    return List.copyOf(comparisons);
  }

  public SuiteResult result(MeasuredDevice device) {
    return new SuiteResult(
        suite.name(),
        suite.description(),
        device,
        across,
        measurements,
        comparisons,
        List.copyOf(notes),
        List.copyOf(problems));
  }
}
