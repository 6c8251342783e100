package io.miniinference.bench.models;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Problems;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Models on two engines that differ in one thing, in turn.
///
/// Where a load's queues and staging happen to lie, and how that falls in with the rhythm of a
/// device, can outweigh what the engines differ in, and stays as it is for a while, often until the
/// model is loaded anew. So pairs are taken from many loads, a few from each.
public final class SideBySide {
  private final Variant subject;
  private final Variant peer;
  private final List<Integer> usualBatches;
  private final Setting setting;
  private final List<Measurement> times = new ArrayList<>();
  private final List<Comparison> ratios = new ArrayList<>();
  private final Problems problems;

  /// @param subject whose time is divided
  /// @param peer by whose it is divided
  /// @param usualBatches batch sizes, unless the setting selects others
  public SideBySide(Variant subject, Variant peer, List<Integer> usualBatches, Setting setting) {
    this.subject = subject;
    this.peer = peer;
    this.usualBatches = List.copyOf(usualBatches);
    this.setting = setting;
    problems = new Problems(setting);
  }

  /// One of the two.
  ///
  /// @param name what it has that the other has not
  public record Variant(String name, Engine engine) {}

  /// Measures a model at all batch sizes.
  public void run(OnnxModel model) {
    for (int batch : setting.batches(usualBatches)) {
      setting.say("%s: batch %d", model.name(), batch);
      problems.attempt(model.name() + " at batch " + batch, () -> run(model, batch));
    }
  }

  /// Reads and measures each of the selected models.
  public void runAll() {
    for (ModelFile file : ModelFiles.of(setting)) {
      problems.attempt(file.name(), () -> run(Plans.read(file)));
    }
  }

  private void run(OnnxModel model, int batch) {
    Optional<Rounds> all = load(model, batch, true);
    int loads = Paces.loads(subject.engine.device(), setting);
    for (int load = 1; load < loads && all.isPresent(); load++) {
      Rounds earlier = all.get();
      all = load(model, batch, load % 2 == 0).map(earlier::and);
    }
    all.ifPresent(rounds -> add(model.name(), Parameters.of("batch", batch), rounds));
  }

  /* Nothing where the two do not agree. Who is loaded second finds the driver as the first left it. */
  private Optional<Rounds> load(OnnxModel model, int batch, boolean subjectFirst) {
    LoadOptions options = LoadOptions.defaults().withMaxBatch(batch);
    try (Model first = (subjectFirst ? subject : peer).engine.load(model, options);
        Model second = (subjectFirst ? peer : subject).engine.load(model, options)) {
      Model on = subjectFirst ? first : second;
      Model off = subjectFirst ? second : first;
      Feed feed = Feed.of(on.inputs(), batch);
      var with = new EngineRuns(on, feed);
      var without = new EngineRuns(off, feed);
      Optional<String> difference =
          Agreement.difference(with.outputs(Memory.ORDINARY), without.outputs(Memory.ORDINARY));
      difference.ifPresent(what ->
          problems.add("%s at batch %d is not timed: %s".formatted(model.name(), batch, what)));
      return difference.isPresent() ? Optional.empty() : Optional.of(time(with, without));
    }
  }

  private Rounds time(EngineRuns with, EngineRuns without) {
    List<Contestant> both =
        List.of(
            with.entrant(Memory.ORDINARY).contestant(),
            without.entrant(Memory.ORDINARY).contestant());
    return Rounds.run(both, Paces.ofOneLoad(subject.engine.device(), setting));
  }

  private void add(String name, Parameters parameters, Rounds rounds) {
    times.add(new Measurement(name, parameters, subject.name, Unit.MICROSECONDS, rounds.spread(0)));
    times.add(new Measurement(name, parameters, peer.name, Unit.MICROSECONDS, rounds.spread(1)));
    ratios.add(new Comparison(name, parameters, subject.name, peer.name, rounds.ratio(0, 1)));
  }

  /// All that was found, and what else a suite measured and has to say.
  public SuiteResult result(Suite suite, List<Measurement> more, List<String> remarks) {
    List<Measurement> all = new ArrayList<>(times);
    all.addAll(more);
    List<String> notes = new ArrayList<>(summary());
    notes.addAll(remarks);
    return new SuiteResult(
        suite.name(),
        suite.description(),
        MeasuredDevice.of(subject.engine.device()),
        "batch",
        all,
        ratios,
        notes,
        problems.lines());
  }

  private List<String> summary() {
    return ratios.stream()
        .max(Comparator.comparingDouble(figure -> figure.ratio().value()))
        .map(worst ->
            String.format(
                Locale.ROOT,
                "%s / %s over %d figures: geometric mean %.3f, worst %.3f [%.3f, %.3f] (%s, %s),"
                    + " highest end of an interval %.3f",
                subject.name,
                peer.name,
                ratios.size(),
                geometricMean(),
                worst.ratio().value(),
                worst.ratio().low(),
                worst.ratio().high(),
                worst.name(),
                worst.parameters().text(),
                highestEnd()))
        .stream()
        .toList();
  }

  private double highestEnd() {
    return ratios.stream().mapToDouble(figure -> figure.ratio().high()).max().orElseThrow();
  }

  private double geometricMean() {
    double sum = ratios.stream().mapToDouble(figure -> Math.log(figure.ratio().value())).sum();
    return Math.exp(sum / ratios.size());
  }
}
