package io.miniinference.bench.suite;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.device.DeviceInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a suite has found so far. What goes wrong with one model is a line, and the suite goes on
/// with the next one.
public final class Findings {
  private static final String OURS = "io.miniinference.";

  private final Setting setting;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Set<String> problems = new LinkedHashSet<>();

  Findings(Setting setting) {
    this.setting = setting;
  }

  /// Adds what all who took turns took.
  public void add(String name, Parameters parameters, Rounds rounds) {
    add(name, parameters, Unit.MICROSECONDS, rounds);
  }

  /// Adds a figure of all who took turns, and that of the first over that of each other.
  public void add(String name, Parameters parameters, Unit unit, Rounds rounds) {
    List<String> subjects = rounds.subjects();
    for (int i = 0; i < subjects.size(); i++) {
      add(name, parameters, subjects.get(i), unit, rounds.spread(i));
    }
    for (int i = 1; i < subjects.size(); i++) {
      add(name, parameters, subjects.getFirst(), subjects.get(i), rounds.ratio(0, i));
    }
  }

  public void add(String name, Parameters parameters, String subject, Unit unit, Spread spread) {
    measurements.add(new Measurement(name, parameters, subject, unit, spread));
  }

  /// Adds a comparison and tells it at once, so that a long run that is cut short is not lost.
  public void add(String name, Parameters parameters, String subject, String peer, Ratio ratio) {
    var comparison = new Comparison(name, parameters, subject, peer, ratio);
    setting.say("%s: %s %s", parameters.behind(name), subject, comparison.beside());
    comparisons.add(comparison);
  }

  /// Runs what concerns one model. An exception ends that alone.
  ///
  /// @param model its name, with which the line begins
  /// @return whether there was none
  public boolean attempt(String model, Runnable work) {
    try {
      work.run();
      return true;
    } catch (RuntimeException e) {
      problem("%s is not measured: %s".formatted(model, message(e)));
      return false;
    }
  }

  /// Our own exceptions tell thing, value and remedy; of others, the name tells most.
  private static String message(RuntimeException e) {
    boolean isOurs = e.getClass().getName().startsWith(OURS);
    String message = isOurs ? String.valueOf(e.getMessage()) : e.toString();
    return message.lines().map(String::strip).collect(Collectors.joining(" "));
  }

  public void note(String format, Object... values) {
    String note = String.format(Locale.ROOT, format, values);
    setting.say("%s", note);
    notes.add(note);
  }

  public void problem(String problem) {
    setting.complain(problem);
    problems.add(problem);
  }

  /// Notes how all ratios of two are together: their geometric mean, and the worst.
  public void summarise(String subject, String peer) {
    comparisons.stream()
        .max(Comparator.comparingDouble(figure -> figure.ratio().value()))
        .ifPresent(worst ->
            note(
                "%s / %s over %d figures: geometric mean %.3f, worst %s (%s),"
                    + " highest end of an interval %.3f",
                subject,
                peer,
                comparisons.size(),
                geometricMean(),
                worst.ratio().text(),
                worst.parameters().behind(worst.name()),
                comparisons.stream().mapToDouble(each -> each.ratio().high()).max().orElse(0)));
  }

  private double geometricMean() {
    return Math.exp(
        comparisons.stream()
            .mapToDouble(figure -> Math.log(figure.ratio().value()))
            .average()
            .orElse(0));
  }

  SuiteResult result(Suite suite, DeviceInfo device) {
    return new SuiteResult(
        suite.name(),
        suite.description(),
        MeasuredDevice.of(device),
        suite.across(),
        measurements,
        comparisons,
        List.copyOf(notes),
        List.copyOf(problems));
  }
}
