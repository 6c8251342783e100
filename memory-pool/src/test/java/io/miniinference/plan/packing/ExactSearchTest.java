package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.packing.CapacitySearch.Outcome;
import io.miniinference.plan.packing.SearchReport.Ending;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The search against all offsets tried one by one.
final class ExactSearchTest {
  private static final Deadline NEVER = new Deadline(Duration.ofHours(1));
  private static final SearchLimits ENOUGH = new SearchLimits(1_000_000, Duration.ofHours(1));

  @Test
  void thePeakIsTheLowestThereIs() {
    int aboveTheBound = 0;
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      List<Rectangle> rectangles =
          RandomRectangles.full(random, 10 + random.nextInt(18), 4 + random.nextInt(7));
      Packing packing = RectanglePacker.pack(PackingProblem.of(rectangles).searching(ENOUGH));
      PackingCheck.assertSound(rectangles, 1, packing);
      assertThat(packing.peakBytes())
          .as("seed %d", seed)
          .isEqualTo(BruteForce.lowestPeakBytes(rectangles));
      if (packing.peakBytes() > packing.boundBytes()) {
        aboveTheBound++;
        assertThat(packing.search().ending()).isEqualTo(Ending.PROVED);
      }
    }
    assertThat(aboveTheBound).as("instances for which the bound is out of reach").isGreaterThan(50);
  }

  @Test
  void nothingIsLowerWithoutAnyRule() {
    compareUnder(EnumSet.noneOf(PruningRule.class), 1000, 10);
  }

  @ParameterizedTest
  @EnumSource
  void eachRuleAloneKeepsTheOptimum(PruningRule rule) {
    compareUnder(EnumSet.of(rule), 2000, 14);
  }

  @ParameterizedTest
  @EnumSource
  void eachRuleCanBeLeftOutWithoutAnotherOptimum(PruningRule rule) {
    compareUnder(EnumSet.complementOf(EnumSet.of(rule)), 5000, 24);
  }

  @ParameterizedTest
  @EnumSource
  void eachRuleSavesNodes(PruningRule rule) {
    long without = 0;
    long with = 0;
    for (int seed = 0; seed < 300; seed++) {
      Instance instance = instance(RandomRectangles.full(new Random(seed), 26, 9));
      without += nodes(instance, EnumSet.complementOf(EnumSet.of(rule)));
      with += nodes(instance, EnumSet.allOf(PruningRule.class));
    }
    assertThat(with).isLessThan(without);
  }

  private static long nodes(Instance instance, Set<PruningRule> rules) {
    CapacitySearch search =
        new CapacitySearch(instance, new Overlaps(instance), instance.bound(), rules);
    search.attempt(200_000, NEVER);
    return search.nodes();
  }

  /* At the lowest peak there is a packing; one byte below, where the bound allows to ask, is none. */
  private static void compareUnder(Set<PruningRule> rules, int instances, int most) {
    for (int seed = 0; seed < instances; seed++) {
      Random random = new Random(seed);
      List<Rectangle> rectangles = RandomRectangles.full(random, 4 + random.nextInt(most - 3), 7);
      Instance instance = instance(rectangles);
      long lowest = BruteForce.lowestPeakBytes(rectangles);
      for (long capacity = instance.bound(); capacity <= lowest; capacity++) {
        Outcome expected = capacity < lowest ? Outcome.IMPOSSIBLE : Outcome.FOUND;
        CapacitySearch search =
            new CapacitySearch(instance, new Overlaps(instance), capacity, rules);
        assertThat(search.attempt(5_000_000, NEVER))
            .as("seed %d, capacity %d, rules %s", seed, capacity, rules)
            .isEqualTo(expected);
      }
    }
  }

  private static Instance instance(List<Rectangle> rectangles) {
    return Instance.of(rectangles, 1);
  }

  @Test
  void restartsGrowAsLubyHasThem() {
    assertThat(LongStream.rangeClosed(1, 15).map(CapacitySearch::luby).toArray())
        .containsExactly(1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8);
  }
}
