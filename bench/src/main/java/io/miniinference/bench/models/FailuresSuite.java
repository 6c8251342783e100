package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Unit;
import io.miniinference.testing.GatherModels;

/// What failure checks cost: models with and without them, in turn in one process; and what a
/// failing batch costs more than one that does not fail.
public final class FailuresSuite {
  private static final int ROWS = 64;
  private static final List<Integer> BAD_ROWS = List.of(0, 1, 3, ROWS);
  private static final String ON = "checks on";

  private FailuresSuite() {}

  public static void measure(Findings findings) {
    Setting setting = findings.setting();
    List<ModelFile> files = new ArrayList<>(setting.models(GatherModels.all().keySet()));
    GatherModels.all()
        .forEach((name, model) -> {
          if (setting.selects(name)) {
            files.add(model.write(findings.folder(), name));
          }
        });
    EngineOptions options = setting.engine();
    try (var checked = new RoomyEngine(ON, options);
        var unchecked = new RoomyEngine("checks off", options.withFailureChecks(false))) {
      ModelBench.race(List.of(checked, unchecked), setting.batches(1, ROWS), files, findings);
      failingBatches(checked.engine(), findings);
    }
  }

  /// Batches of which some rows fail, beside one without a failure, in turn.
  private static void failingBatches(Engine engine, Findings findings) {
    findings.say("failing batches of %d rows", ROWS);
    LoadOptions options = LoadOptions.defaults().withMaxBatch(ROWS);
    try (Model model = engine.load(GatherModels.embeddingBag().read(), options)) {
      List<Entrant> entrants = BAD_ROWS.stream().map(bad -> entrant(model, bad)).toList();
      Rounds rounds = Rounds.run(entrants, Timings.of(engine, findings).alone());
      double without = rounds.spread(0).median();
      for (int i = 0; i < entrants.size(); i++) {
        String name = "embedding-bag, " + entrants.get(i).subject();
        Parameters at = Parameters.of(ModelBench.BATCH, ROWS);
        findings.add(name, at, ON, Unit.MICROSECONDS, rounds.spread(i));
        if (i > 0) {
          findings.note(
              "a batch of %d of which %d fail takes %.1f µs more",
              ROWS, BAD_ROWS.get(i), rounds.spread(i).median() - without);
        }
      }
    }
  }

  private static Entrant entrant(Model model, int bad) {
    EngineRuns runs = EngineRuns.of(ON, model, ROWS);
    Tensor indices = runs.feed().inputs().getFirst().tensor();
    long perRow = indices.elements() / ROWS;
    for (int k = 0; k < bad; k++) {
      long row = (long) k * ROWS / bad;
      TensorView.of(indices).wholeAt(row * perRow + perRow - 1, Long.MAX_VALUE);
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
