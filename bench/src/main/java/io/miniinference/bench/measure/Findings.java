package io.miniinference.bench.measure;

import module java.base;

import io.miniinference.device.DeviceInfo;
import org.jspecify.annotations.Nullable;

/// What a suite is told, and has found so far. What goes wrong with one model is a line, and the
/// suite goes on with the next one.
public final class Findings {
  private final Setting setting;
  private final Path folder;
  private final Consumer<String> progress;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Set<String> problems = new LinkedHashSet<>();
  private @Nullable MeasuredDevice device;
  private String across = "";

  Findings(Setting setting, Path folder, Consumer<String> progress) {
    this.setting = setting;
    this.folder = folder;
    this.progress = progress;
  }

  public Setting setting() {
    return setting;
  }

  /// For files that last as long as the suite runs.
  public Path folder() {
    return folder;
  }

  /// Names the device that is measured. A suite that names none has nothing to measure.
  ///
  /// @param columns the parameter whose values are a table's columns; empty for one column
  public void on(DeviceInfo measured, String columns) {
    device = MeasuredDevice.of(measured);
    across = columns;
  }

  /// Tells how far the suite is.
  public void say(String format, Object... values) {
    progress.accept("bench: " + format.formatted(values));
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
    say("%s: %s %s", parameters.behind(name), subject, comparison.beside());
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
      problem("%s is not measured: %s", model, message(e));
      return false;
    }
  }

  /// Of exceptions of others, the name tells most.
  private static String message(RuntimeException e) {
    String message = BenchException.isOurs(e) ? String.valueOf(e.getMessage()) : e.toString();
    return message.lines().map(String::strip).collect(Collectors.joining(" "));
  }

  public void note(String format, Object... values) {
    String note = String.format(Locale.ROOT, format, values);
    say("%s", note);
    notes.add(note);
  }

  public void problem(String format, Object... values) {
    String problem = format.formatted(values);
    progress.accept("mie: " + problem);
    problems.add(problem);
  }

  /// Notes how all ratios of two are together: their geometric mean, and the worst.
  public void summarise(String subject, String peer) {
    if (comparisons.isEmpty()) {
      return;
    }
    List<Ratio> ratios = comparisons.stream().map(Comparison::ratio).toList();
    double logs = ratios.stream().mapToDouble(it -> Math.log(it.value())).average().orElse(0);
    double highest = ratios.stream().mapToDouble(Ratio::high).max().orElse(0);
    Comparison worst =
        Collections.max(comparisons, Comparator.comparingDouble(it -> it.ratio().value()));
    String what = worst.parameters().behind(worst.name());
    note(
        "%s / %s over %d figures: geometric mean %.3f, worst %s (%s),"
            + " highest end of an interval %.3f",
        subject, peer, ratios.size(), Math.exp(logs), worst.ratio().text(), what, highest);
  }

  Optional<SuiteResult> result(String suite, String title) {
    return Optional.ofNullable(device)
        .map(measured ->
            new SuiteResult(
                suite,
                title,
                measured,
                across,
                List.copyOf(measurements),
                List.copyOf(comparisons),
                List.copyOf(notes),
                List.copyOf(problems)));
  }
}
