package io.miniinference.bench.failures;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Runner;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.EngineRuns;
import io.miniinference.bench.models.Timings;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import java.util.List;
import java.util.Locale;

/// Batches of 64 rows of which some fail, beside one without a failure, in turn.
final class FailingBatches {
  private static final int ROWS = 64;
  private static final List<Integer> BAD_ROWS = List.of(0, 1, 3, ROWS);

  private final Engine engine;
  private final Setting setting;
  private final Findings findings;

  FailingBatches(Engine engine, Setting setting, Findings findings) {
    this.engine = engine;
    this.setting = setting;
    this.findings = findings;
  }

  void run() {
    setting.say("failing batches of %d rows", ROWS);
    LoadOptions options = LoadOptions.defaults().withMaxBatch(ROWS);
    try (Model model = engine.load(GatherGraphs.embeddingBag(), options)) {
      List<Runner> runners = BAD_ROWS.stream().map(bad -> runner(model, bad)).toList();
      Rounds rounds = Rounds.run(runners, Timings.of(engine.device().kind(), setting));
      for (int i = 0; i < BAD_ROWS.size(); i++) {
        add(BAD_ROWS.get(i), rounds.spread(i), rounds.spread(0).median());
      }
    }
  }

  /// @param without median of a batch without a failure, µs
  private void add(int bad, Spread spread, double without) {
    Parameters parameters = Parameters.of("batch", ROWS);
    String name = "embedding-bag, bad rows " + bad;
    findings.add(name, parameters, "checks on", Unit.MICROSECONDS, spread);
    if (bad > 0) {
      findings.note(
          String.format(
              Locale.ROOT,
              "a batch of %d of which %d fail takes %.1f µs more",
              ROWS,
              bad,
              spread.median() - without));
    }
  }

  private static Runner runner(Model model, int bad) {
    Feed feed = Feed.of(model.inputs(), ROWS);
    var indices = feed.inputs().getFirst().tensor();
    long perRow = indices.elements() / ROWS;
    for (int k = 0; k < bad; k++) {
      long row = (long) k * ROWS / bad;
      indices.data().setAtIndex(JAVA_LONG_UNALIGNED, row * perRow + perRow - 1, Long.MAX_VALUE);
    }
    InferenceRequest request = new EngineRuns(model, feed).request();
    return new InProcess(() -> run(model, request, bad));
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
