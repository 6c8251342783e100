package io.miniinference.plan.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.verify.VerifiedPlan;
import org.junit.jupiter.api.Test;

/// Plans of programs with many steps.
final class LongProgramsTest {
  @Test
  void theSyntheticProgramIsAlwaysTheSameAndHasASoundPlan() {
    Program program = SyntheticProgram.of(100);

    VerifiedPlan plan = VerifiedPlan.of(program, PlanOptions.upTo(4));

    assertThat(program).isEqualTo(SyntheticProgram.of(100));
    assertThat(program.body().steps()).hasSize(100);
    assertThat(plan.fallback()).isEmpty();
  }

  @Test
  void aGreedyOrderPlacesTheLongNetworkAsLowAsCanBe() {
    VerifiedPlan plan = VerifiedPlan.of(LongNetwork.of(250), PlanOptions.upTo(256));

    assertThat(plan.fallback()).isEmpty();
    assertThat(plan.plan().merges()).hasSizeGreaterThan(100);
    assertThat(plan.plan().placements())
        .hasSize(9)
        .allMatch(placement -> placement.search().nodes() == 0)
        .allMatch(placement -> placement.plannedBytes() == placement.placementBoundBytes());
  }
}
