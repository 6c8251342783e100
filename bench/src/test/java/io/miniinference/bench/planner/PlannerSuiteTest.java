package io.miniinference.bench.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.runtime.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the planner's benchmark plans, and a tiny run of it.
final class PlannerSuiteTest {
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

  @Test
  void planningIsTimedForEachModel(@TempDir Path cache) {
    var setting =
        new Setting(
            EngineOptions.defaults(cache),
            new Setting.Selection(null, List.of("mnist-mlp"), List.of()),
            2,
            "no-python",
            true,
            _ -> {});

    SuiteResult result = new PlannerSuite().run(setting).orElseThrow();

    assertThat(result.measurements()).extracting(Measurement::name).containsExactly("mnist-mlp");
    assertThat(result.measurements()).allMatch(figure -> figure.spread().low() > 0);
  }
}
