package io.miniinference.bench.models;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Pace;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Entrant;
import io.miniinference.bench.peer.Memory;
import java.util.List;
import java.util.stream.IntStream;

/// All who run one model on one feed, and what their rounds showed.
///
/// @param model its name
/// @param entrants those of the engine and of its peers
final class Field {
  private final String model;
  private final int batch;
  private final List<Entrant> entrants;
  private final Rounds rounds;

  private Field(String model, int batch, List<Entrant> entrants, Rounds rounds) {
    this.model = model;
    this.batch = batch;
    this.entrants = entrants;
    this.rounds = rounds;
  }

  /// Lets them run in turn.
  static Field run(String model, int batch, List<Entrant> entrants, Pace pace) {
    return new Field(
        model,
        batch,
        List.copyOf(entrants),
        Rounds.run(entrants.stream().map(Entrant::contestant).toList(), pace));
  }

  /// The time of a run, for each.
  List<Measurement> times() {
    return IntStream.range(0, entrants.size())
        .mapToObj(i ->
            new Measurement(
                model,
                parameters(entrants.get(i)),
                entrants.get(i).subject(),
                Unit.MICROSECONDS,
                rounds.spread(i)))
        .toList();
  }

  /// The engine's time over that of each peer with inputs in the same memory.
  List<Comparison> ratios() {
    return IntStream.range(0, entrants.size())
        .filter(i -> isEngine(entrants.get(i)))
        .boxed()
        .flatMap(ours -> peersOf(ours).mapToObj(theirs -> ratio(ours, theirs)))
        .toList();
  }

  private IntStream peersOf(int ours) {
    Memory memory = entrants.get(ours).memory();
    return IntStream.range(0, entrants.size())
        .filter(i -> !isEngine(entrants.get(i)) && entrants.get(i).memory() == memory);
  }

  private Comparison ratio(int ours, int theirs) {
    return new Comparison(
        model,
        parameters(entrants.get(ours)),
        EngineRuns.SUBJECT,
        entrants.get(theirs).subject(),
        rounds.ratio(ours, theirs));
  }

  private static boolean isEngine(Entrant entrant) {
    return entrant.subject().equals(EngineRuns.SUBJECT);
  }

  /// The kind of memory is told where there is more than one.
  private Parameters parameters(Entrant entrant) {
    long kinds = entrants.stream().map(Entrant::memory).distinct().count();
    Parameters own = kinds == 1 ? Parameters.NONE : Parameters.of("input", entrant.memory().text());
    return own.with(ModelBench.BATCH, batch);
  }

  /// The samples of the engine's first entrant, µs.
  double[] engineMicros() {
    int engine =
        IntStream.range(0, entrants.size())
            .filter(i -> isEngine(entrants.get(i)))
            .findFirst()
            .orElseThrow();
    return rounds.micros(engine);
  }
}
