package io.miniinference.bench.measure;

import module java.base;

/// Samples of entrants that took turns in one run, a slice each: what slows a machine down for a
/// while slows them all. An entrant's sample is the median of a slice.
///
/// @param subjects the entrants' names
/// @param samples of each entrant, one a round: µs, or what else its slices tell
public record Rounds(List<String> subjects, List<List<Double>> samples) {

  /// Lets each warm up, and then run one slice in each round.
  public static Rounds run(List<Entrant> entrants, Timing timing) {
    var warmUp = new Slice(0, timing.warmUpMillis(), 1);
    entrants.forEach(entrant -> entrant.run(warmUp));
    Stream<Supplier<Double>> turns = entrants.stream().map(entrant -> () -> turn(entrant, timing));
    List<String> subjects = entrants.stream().map(Entrant::subject).toList();
    return new Rounds(subjects, inTurn(turns.toList(), timing.rounds()));
  }

  /// Lets each take a turn in each round. Every other round goes backwards, so that none always
  /// runs behind the same one.
  ///
  /// @return what the turns of each gave, one a round
  public static <T> List<List<T>> inTurn(List<Supplier<T>> turns, int rounds) {
    List<List<T>> given = turns.stream().map(_ -> (List<T>) new ArrayList<T>()).toList();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < turns.size(); i++) {
        int next = round % 2 == 0 ? i : turns.size() - 1 - i;
        given.get(next).add(turns.get(next).get());
      }
    }
    return given;
  }

  private static double turn(Entrant entrant, Timing timing) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timing.pauseMillis());
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    return Spread.median(entrant.run(timing.slice()));
  }

  /// These rounds and then those of a further run of the same entrants.
  public Rounds and(Rounds further) {
    return new Rounds(
        subjects,
        IntStream.range(0, samples.size())
            .mapToObj(i ->
                Stream.concat(samples.get(i).stream(), further.samples.get(i).stream()).toList())
            .toList());
  }

  /// The samples of an entrant, one a round.
  public double[] of(int entrant) {
    return samples.get(entrant).stream().mapToDouble(each -> each).toArray();
  }

  public Spread spread(int entrant) {
    return Spread.of(of(entrant));
  }

  /// The samples of one entrant over those of another.
  public Ratio ratio(int subject, int peer) {
    return Ratio.of(of(subject), of(peer));
  }
}
