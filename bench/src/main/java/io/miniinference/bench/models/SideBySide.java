package io.miniinference.bench.models;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratios;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import java.util.List;
import java.util.Optional;

/// Models on two engines that differ in one thing, in turn.
///
/// Where a load's queues and staging happen to lie, and how that falls in with the rhythm of a
/// device, can outweigh what the engines differ in, and stays as it is for a while, often until the
/// model is loaded anew. So pairs are taken from many loads, a few from each.
public final class SideBySide {
  private final Variant subject;
  private final Variant peer;
  private final List<Integer> batches;
  private final Setting setting;
  private final Findings findings;

  /// @param subject whose time is divided
  /// @param peer by whose it is divided
  /// @param usualBatches batch sizes, unless the setting selects others
  public SideBySide(
      Variant subject,
      Variant peer,
      List<Integer> usualBatches,
      Setting setting,
      Findings findings) {
    this.subject = subject;
    this.peer = peer;
    batches = setting.batches(usualBatches);
    this.setting = setting;
    this.findings = findings;
  }

  /// One of the two.
  ///
  /// @param name what it has that the other has not
  public record Variant(String name, Engine engine) {}

  /// Reads and measures each of the selected models.
  public void runAll() {
    for (ModelFile file : ModelFiles.of(setting)) {
      findings.attempt(file.name(), () -> run(Plans.read(file)));
    }
  }

  /// Measures a model at all batch sizes.
  public void run(OnnxModel model) {
    for (int batch : batches) {
      setting.say("%s: batch %d", model.name(), batch);
      findings.attempt(model.name() + " at batch " + batch, () -> run(model, batch));
    }
  }

  private void run(OnnxModel model, int batch) {
    Optional<Rounds> all = load(model, batch, true);
    int loads = Timings.loads(device().kind(), setting);
    for (int load = 1; load < loads && all.isPresent(); load++) {
      Rounds earlier = all.get();
      all = load(model, batch, load % 2 == 0).map(earlier::and);
    }
    all.ifPresent(rounds -> add(model.name(), Parameters.of("batch", batch), rounds));
  }

  private DeviceInfo device() {
    return subject.engine.device();
  }

  /* Nothing where the two do not agree. The one loaded second finds the driver as the first left it. */
  private Optional<Rounds> load(OnnxModel model, int batch, boolean subjectFirst) {
    LoadOptions options = setting.loadOptions(batch);
    try (Model first = (subjectFirst ? subject : peer).engine.load(model, options);
        Model second = (subjectFirst ? peer : subject).engine.load(model, options)) {
      Feed feed = Feed.of(first.inputs(), batch);
      var with = new EngineRuns(subjectFirst ? first : second, feed);
      var without = new EngineRuns(subjectFirst ? second : first, feed);
      Optional<String> difference =
          Agreement.difference(with.outputs(Memory.ORDINARY), without.outputs(Memory.ORDINARY));
      difference.ifPresent(what ->
          findings.problem("%s at batch %d is not timed: %s".formatted(model.name(), batch, what)));
      return difference.isPresent() ? Optional.empty() : Optional.of(time(with, without));
    }
  }

  private Rounds time(EngineRuns with, EngineRuns without) {
    return Rounds.run(
        List.of(with.runner(Memory.ORDINARY).runner(), without.runner(Memory.ORDINARY).runner()),
        Timings.ofOneLoad(device().kind(), setting));
  }

  private void add(String name, Parameters parameters, Rounds rounds) {
    findings.add(name, parameters, subject.name, Unit.MICROSECONDS, rounds.spread(0));
    findings.add(name, parameters, peer.name, Unit.MICROSECONDS, rounds.spread(1));
    findings.add(name, parameters, subject.name, peer.name, rounds.ratio(0, 1));
  }

  /// Notes how all ratios are together.
  public void summarise() {
    Ratios.summary(subject.name, peer.name, findings.comparisons()).ifPresent(findings::note);
  }
}
