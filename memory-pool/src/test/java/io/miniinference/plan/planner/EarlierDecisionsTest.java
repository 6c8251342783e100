package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.Array;
import io.miniinference.plan.Merge;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.RandomPrograms;
import io.miniinference.plan.coalesce.Candidate;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.planner.EarlierDecisions.Alike;
import io.miniinference.plan.verify.PlanVerifier;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EarlierDecisionsTest {
  private static final PlanOptions OPTIONS = PlanOptions.upTo(3);

  private static List<String> merges(MemoryPlan plan) {
    return plan.merges().stream().map(Merge::toString).toList();
  }

  private static void assertSame(MemoryPlan plan, MemoryPlan other, String what) {
    assertThat(merges(plan)).as(what).isEqualTo(merges(other));
    assertThat(plan.refused()).as(what).hasToString(other.refused().toString());
    assertThat(plan.arenaBytes()).as(what).isEqualTo(other.arenaBytes());
    assertThat(plan.program()).as(what).hasToString(other.program().toString());
  }

  @Test
  void aProgramIsPlannedAsBefore() {
    for (long seed = 0; seed < 200; seed++) {
      EarlierDecisions earlier = EarlierDecisions.many();
      Program program = RandomPrograms.of(seed, 4 + (int) (seed % 24));
      MemoryPlan first = Planner.plan(program, OPTIONS, earlier);
      MemoryPlan again = Planner.plan(program, OPTIONS, earlier);
      PlanVerifier.verify(again);
      assertSame(again, first, "seed " + seed);
      assertSame(first, Planner.plan(program, OPTIONS), "seed " + seed);
    }
  }

  /* Two values, and a third that is put together of them. */
  private static Program joined(long one, long other) {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", one);
    Array y = p.input("y", other);
    Array a = p.compute(p.floats("a", one), x);
    Array b = p.compute(p.floats("b", other), y);
    return p.build(p.compute(p.floats("z", 4), p.concat("both", 0, a, b)), a);
  }

  @Test
  void programsOfOtherSizesArePlannedAsIfTheyWereTheFirst() {
    EarlierDecisions earlier = EarlierDecisions.many();
    for (long one = 1; one < 70; one++) {
      Program program = joined(one, 3 * one);
      MemoryPlan plan = Planner.plan(program, OPTIONS, earlier);
      PlanVerifier.verify(plan);
      assertSame(plan, Planner.plan(program, OPTIONS), one + " elements");
    }
  }

  /// What was decided for another program altogether, which says nothing of this one.
  @Test
  void mergesThatAreNotAllowedAreDecidedAnew() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", 16);
    Array a = p.elementwise(p.floats("a", 16), x);
    Program needsItLater = p.build(p.elementwise(p.floats("b", 16), a, x), a);
    var lifetimes = Lifetimes.of(needsItLater);
    var candidates = Candidate.of(lifetimes, OPTIONS);
    EarlierDecisions wrong = EarlierDecisions.many();
    List<Integer> all = IntStream.range(0, candidates.size()).boxed().toList();
    wrong.keep(Alike.of(OPTIONS, candidates), new EarlierDecisions.Decisions(false, all));

    MemoryPlan plan = Planner.plan(needsItLater, OPTIONS, wrong);

    PlanVerifier.verify(plan);
    assertSame(plan, Planner.plan(needsItLater, OPTIONS), "anew");
  }

  @Test
  void sizesThatEndElsewhereInAVectorAreNotAlike() {
    assertThat(alike(joined(32, 64))).isEqualTo(alike(joined(48, 80)));
    assertThat(alike(joined(32, 64))).isNotEqualTo(alike(joined(33, 64)));
    assertThat(alike(joined(1, 64))).isNotEqualTo(alike(joined(17, 64)));
  }

  private static Alike alike(Program program) {
    var lifetimes = Lifetimes.of(program);
    return Alike.of(OPTIONS, Candidate.of(lifetimes, OPTIONS));
  }
}
