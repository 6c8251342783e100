package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private static final Slice SLICE = new Slice(Duration.ZERO, Duration.ZERO, 3);
  private final List<String> turns = new ArrayList<>();

  @Test
  void contestantsTakeTurnsThereAndBackAfterAWarmUp() {
    Rounds.run(List.of(contestant("a", 1), contestant("b", 2)), pace(3));
    assertThat(turns).containsExactly("a", "b", "a", "b", "b", "a", "a", "b");
  }

  @Test
  void aSampleIsTheMedianOfASlice() {
    Rounds rounds = Rounds.run(List.of(contestant("a", 4), contestant("b", 2)), pace(15));
    assertThat(rounds.micros(0)).hasSize(15).containsOnly(4);
    assertThat(rounds.spread(1)).isEqualTo(new Spread(2, 2, 2, 15));
    assertThat(rounds.ratio(0, 1)).isEqualTo(new Ratio(2, 2, 2, 15));
  }

  @Test
  void furtherRoundsMakeMorePairs() {
    List<Contestant> both = List.of(contestant("a", 4), contestant("b", 2));
    Rounds rounds = Rounds.run(both, pace(15)).and(Rounds.run(both, pace(6)));
    assertThat(rounds.micros(1)).hasSize(21).containsOnly(2);
    assertThat(rounds.ratio(0, 1)).isEqualTo(new Ratio(2, 2, 2, 21));
  }

  @Test
  void workIsTimedForTheSliceAndAsOftenAsAsked() {
    int[] calls = {0};
    var work = new InProcess("work", () -> calls[0]++);
    assertThat(work.run(SLICE)).hasSize(3);
    assertThat(calls[0]).as("one run settles").isEqualTo(4);
    var long2000 = new Slice(Duration.ZERO, Duration.ZERO, 2_000);
    assertThat(work.run(long2000)).hasSize(2_000);
  }

  @Test
  void aSliceLastsAsLongAsAsked() {
    var slice = new Slice(Duration.ofMillis(2), Duration.ofMillis(5), 1);
    double[] micros = new InProcess("work", Thread::onSpinWait).run(slice);
    double sum = 0;
    for (double each : micros) {
      sum += each;
    }
    assertThat(sum).isGreaterThanOrEqualTo(5_000);
  }

  private static Pace pace(int rounds) {
    return new Pace(rounds, Duration.ZERO, Duration.ZERO, SLICE);
  }

  private Contestant contestant(String name, double micros) {
    return new Contestant() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public double[] run(Slice slice) {
        turns.add(name);
        return new double[] {micros, micros, 100 * micros, 0, micros};
      }
    };
  }
}
