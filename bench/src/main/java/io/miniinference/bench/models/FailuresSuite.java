package io.miniinference.bench.models;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.DeviceInfo;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.testing.GatherModels;
import java.util.List;
import java.util.Optional;

/// What failure checks cost: models with and without them, in turn in one process; and what a
/// failing batch costs more than one that does not fail.
public final class FailuresSuite {
  public static final Suite SUITE =
      new Suite(
          "failures",
          "a request with failure checks beside one without, and batches of which rows fail",
          ModelBench.BATCH,
          FailuresSuite::measure);

  private static final int ROWS = 64;
  private static final List<Integer> BAD_ROWS = List.of(0, 1, 3, ROWS);

  private FailuresSuite() {}

  private static Optional<DeviceInfo> measure(Setting setting, Findings findings) {
    try (Peers none = Peers.none(setting, findings);
        var checked = new RoomyEngine(setting.engine());
        var unchecked = new RoomyEngine(setting.engine().withFailureChecks(false))) {
      var on = new ModelBench.Way("checks on", checked);
      var off = new ModelBench.Way("checks off", unchecked);
      List<Integer> batches = setting.batches(1, ROWS);
      var bench = new ModelBench(List.of(on, off), batches, none, setting, findings);
      ModelFiles.of(setting).forEach(bench::run);
      if (setting.named().isEmpty()) {
        GatherModels.all()
            .forEach((name, model) -> bench.run(model.write(none.folder().path(), name)));
      }
      findings.summarise(on.name(), off.name());
      failingBatches(checked.any(), setting, findings);
      return Optional.of(checked.any().device());
    }
  }

  /// Batches of which some rows fail, beside one without a failure, in turn.
  private static void failingBatches(Engine engine, Setting setting, Findings findings) {
    setting.say("failing batches of %d rows", ROWS);
    LoadOptions options = LoadOptions.defaults().withMaxBatch(ROWS);
    try (Model model = engine.load(GatherModels.embeddingBag().read(), options)) {
      List<Entrant> entrants = BAD_ROWS.stream().map(bad -> entrant(model, bad)).toList();
      Rounds rounds = Rounds.run(entrants, Timings.of(engine.device().kind(), setting));
      double without = rounds.spread(0).median();
      for (int i = 0; i < entrants.size(); i++) {
        String name = "embedding-bag, " + entrants.get(i).subject();
        Parameters at = Parameters.of(ModelBench.BATCH, ROWS);
        findings.add(name, at, "checks on", Unit.MICROSECONDS, rounds.spread(i));
        if (i > 0) {
          findings.note(
              "a batch of %d of which %d fail takes %.1f µs more",
              ROWS, BAD_ROWS.get(i), rounds.spread(i).median() - without);
        }
      }
    }
  }

  private static Entrant entrant(Model model, int bad) {
    EngineRuns runs = EngineRuns.of(model, ROWS);
    Tensor indices = runs.feed().inputs().getFirst().tensor();
    long perRow = indices.elements() / ROWS;
    for (int k = 0; k < bad; k++) {
      long row = (long) k * ROWS / bad;
      indices.data().setAtIndex(JAVA_LONG_UNALIGNED, row * perRow + perRow - 1, Long.MAX_VALUE);
    }
    InferenceRequest request = runs.request(Memory.ORDINARY);
    return Entrant.of("bad rows " + bad, () -> run(model, request, bad));
  }

  private static void run(Model model, InferenceRequest request, int bad) {
    int failed = 0;
    try {
      model.infer(request, _ -> true);
    } catch (RequestFailedException e) {
      failed = e.failures().size();
    }
    if (failed != bad) {
      throw new BenchException("%d rows failed, not %d".formatted(failed, bad));
    }
  }
}
