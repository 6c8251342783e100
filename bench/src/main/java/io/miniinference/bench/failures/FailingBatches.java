package io.miniinference.bench.failures;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.Paces;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Setting;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Batches of 64 rows of which some fail, beside one without a failure, in turn.
final class FailingBatches {
  private static final int ROWS = 64;
  private static final List<Integer> BAD_ROWS = List.of(1, 3, ROWS);

  private final Engine engine;
  private final Setting setting;
  private final List<Measurement> times = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  FailingBatches(Engine engine, Setting setting) {
    this.engine = engine;
    this.setting = setting;
  }

  void run() {
    setting.say("failing batches of %d rows", ROWS);
    LoadOptions options = LoadOptions.defaults().withMaxBatch(ROWS);
    try (Model model = engine.load(GatherGraphs.embeddingBag(), options)) {
      List<Contestant> contestants = new ArrayList<>(List.of(contestant(model, 0)));
      BAD_ROWS.forEach(bad -> contestants.add(contestant(model, bad)));
      Rounds rounds = Rounds.run(contestants, Paces.of(engine.device(), setting));
      times.add(figure(0, rounds.spread(0)));
      for (int i = 0; i < BAD_ROWS.size(); i++) {
        add(BAD_ROWS.get(i), rounds, i + 1);
      }
    }
  }

  private void add(int bad, Rounds rounds, int contestant) {
    times.add(figure(bad, rounds.spread(contestant)));
    double added = rounds.spread(contestant).median() - rounds.spread(0).median();
    notes.add(
        String.format(
            Locale.ROOT, "a batch of %d of which %d fail takes %.1f µs more", ROWS, bad, added));
  }

  private static Measurement figure(int bad, Spread spread) {
    Parameters parameters = Parameters.of("batch", ROWS);
    return new Measurement(
        "embedding-bag, bad rows " + bad, parameters, "checks on", Unit.MICROSECONDS, spread);
  }

  private static Contestant contestant(Model model, int bad) {
    Feed feed = Feed.of(model.inputs(), ROWS);
    var indices = feed.inputs().getFirst().tensor();
    long perRow = indices.elements() / ROWS;
    for (int k = 0; k < bad; k++) {
      long row = (long) k * ROWS / bad;
      indices.data().setAtIndex(JAVA_LONG_UNALIGNED, row * perRow + perRow - 1, Long.MAX_VALUE);
    }
    InferenceRequest request =
        new InferenceRequest(
            feed.inputs().stream().map(input -> input.tensor().shape()).toList(),
            (i, staging) -> staging.copyFrom(feed.inputs().get(i).tensor().data()));
    return new InProcess(bad + " bad rows", () -> run(model, request, bad));
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

  List<Measurement> times() {
    return times;
  }

  List<String> notes() {
    return notes;
  }
}
