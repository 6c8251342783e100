package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private static final Slice SLICE = new Slice(0, 0, 3);
  private final List<String> turns = new ArrayList<>();

  @Test
  void runnersTakeTurnsThereAndBackAfterAWarmUp() {
    Rounds.run(List.of(runner("a", 1), runner("b", 2)), timing(3));
    assertThat(turns).containsExactly("a", "b", "a", "b", "b", "a", "a", "b");
  }

  @Test
  void aSampleIsTheMedianOfASlice() {
    Rounds rounds = Rounds.run(List.of(runner("a", 4), runner("b", 2)), timing(15));
    assertThat(rounds.of(0)).hasSize(15).containsOnly(4);
    assertThat(rounds.spread(1)).isEqualTo(new Spread(2, 2, 2, 15));
    assertThat(rounds.ratio(0, 1)).isEqualTo(new Ratio(2, 2, 2, 15));
  }

  @Test
  void furtherRoundsMakeMorePairs() {
    List<Entrant> both = List.of(runner("a", 4), runner("b", 2));
    Rounds rounds = Rounds.run(both, timing(15)).and(Rounds.run(both, timing(6)));
    assertThat(rounds.of(1)).hasSize(21).containsOnly(2);
    assertThat(rounds.ratio(0, 1)).isEqualTo(new Ratio(2, 2, 2, 21));
  }

  @Test
  void workIsTimedForTheSliceAndAsOftenAsAsked() {
    int[] calls = {0};
    var work = Entrant.of("work", () -> calls[0]++);
    assertThat(work.run(SLICE)).hasSize(3);
    assertThat(calls[0]).as("one run settles").isEqualTo(4);
    var long2000 = new Slice(0, 0, 2_000);
    assertThat(work.run(long2000)).hasSize(2_000);
  }

  @Test
  void shortWorkIsRepeatedWithinARun() {
    int[] calls = {0};
    assertThat(Entrant.of("work", 50, () -> calls[0]++).run(SLICE)).hasSize(3);
    assertThat(calls[0]).isEqualTo(4 * 50);
  }

  @Test
  void aSliceLastsAsLongAsAsked() {
    var slice = new Slice(2, 5, 1);
    double[] micros = Entrant.of("work", Thread::onSpinWait).run(slice);
    double sum = 0;
    for (double each : micros) {
      sum += each;
    }
    assertThat(sum).isGreaterThanOrEqualTo(5_000);
  }

  private static Timing timing(int rounds) {
    return new Timing(rounds, 0, 0, SLICE);
  }

  private Entrant runner(String name, double micros) {
    return new Entrant(
        name,
        _ -> {
          turns.add(name);
          return new double[] {micros, micros, 100 * micros, 0, micros};
        });
  }
}
