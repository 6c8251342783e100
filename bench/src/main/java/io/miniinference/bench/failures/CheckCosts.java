package io.miniinference.bench.failures;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.EngineRuns;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Models on an engine with failure checks and on one without, in turn.
final class CheckCosts {
  private static final String ON = "checks on";
  private static final String OFF = "checks off";
  private static final List<Integer> BATCHES = List.of(1, 64);

  private final Engine checked;
  private final Engine unchecked;
  private final Setting setting;
  private final List<Measurement> times = new ArrayList<>();
  private final List<Comparison> ratios = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  CheckCosts(Engine checked, Engine unchecked, Setting setting) {
    this.checked = checked;
    this.unchecked = unchecked;
    this.setting = setting;
  }

  /// Measures a model at all batch sizes.
  void run(OnnxModel model) {
    List<Integer> chosen = setting.selection().batches();
    for (int batch : chosen.isEmpty() ? BATCHES : chosen) {
      setting.say("%s: batch %d", model.name(), batch);
      LoadOptions options = LoadOptions.defaults().withMaxBatch(batch);
      try (Model on = checked.load(model, options);
          Model off = unchecked.load(model, options)) {
        run(model.name(), batch, on, off);
      }
    }
  }

  private void run(String name, int batch, Model on, Model off) {
    Feed feed = Feed.of(on.inputs(), batch);
    var with = new EngineRuns(on, feed);
    var without = new EngineRuns(off, feed);
    Agreement.difference(with.outputs(Memory.ORDINARY), without.outputs(Memory.ORDINARY))
        .ifPresentOrElse(
            what -> problems.add("%s at batch %d is not timed: %s".formatted(name, batch, what)),
            () -> time(name, Parameters.of("batch", batch), with, without));
  }

  private void time(String name, Parameters parameters, EngineRuns with, EngineRuns without) {
    List<Contestant> both =
        List.of(
            with.entrant(Memory.ORDINARY).contestant(),
            without.entrant(Memory.ORDINARY).contestant());
    Rounds rounds = Rounds.run(both, Paces.of(checked.device(), setting));
    times.add(new Measurement(name, parameters, ON, Unit.MICROSECONDS, rounds.spread(0)));
    times.add(new Measurement(name, parameters, OFF, Unit.MICROSECONDS, rounds.spread(1)));
    ratios.add(new Comparison(name, parameters, ON, OFF, rounds.ratio(0, 1)));
  }

  /// All that was found, with the failing batches'.
  SuiteResult result(Suite suite, FailingBatches batches) {
    List<Measurement> all = new ArrayList<>(times);
    all.addAll(batches.times());
    List<String> notes = new ArrayList<>(summary());
    notes.addAll(batches.notes());
    return new SuiteResult(
        suite.name(),
        suite.description(),
        MeasuredDevice.of(checked.device()),
        "batch",
        all,
        ratios,
        notes,
        problems);
  }

  private List<String> summary() {
    return ratios.stream()
        .max(Comparator.comparingDouble(figure -> figure.ratio().value()))
        .map(worst ->
            String.format(
                Locale.ROOT,
                "checks on / off over %d figures: geometric mean %.3f, worst %.3f [%.3f, %.3f] (%s, %s)",
                ratios.size(),
                geometricMean(),
                worst.ratio().value(),
                worst.ratio().low(),
                worst.ratio().high(),
                worst.name(),
                worst.parameters().text()))
        .stream()
        .toList();
  }

  private double geometricMean() {
    double sum = ratios.stream().mapToDouble(figure -> Math.log(figure.ratio().value())).sum();
    return Math.exp(sum / ratios.size());
  }
}
