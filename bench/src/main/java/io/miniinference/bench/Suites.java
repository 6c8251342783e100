package io.miniinference.bench;

import io.miniinference.bench.failures.FailuresSuite;
import io.miniinference.bench.kernels.KernelsSuite;
import io.miniinference.bench.models.EpiloguesSuite;
import io.miniinference.bench.models.JvmSuite;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.bench.models.PlanningSuite;
import io.miniinference.bench.open.OpenSuite;
import io.miniinference.bench.planner.MemorySuite;
import io.miniinference.bench.planner.PlannerSuite;
import io.miniinference.bench.pool.PoolSuite;
import io.miniinference.bench.serving.LengthsSuite;
import io.miniinference.bench.serving.ServingSuite;
import io.miniinference.bench.soundness.SoundnessSuite;
import io.miniinference.bench.suite.Suite;
import java.util.List;

/// All suites, in the order in which they run.
final class Suites {
  static final List<Suite> ALL =
      List.of(
          new PoolSuite(),
          new ModelsSuite(),
          new KernelsSuite(),
          new JvmSuite(),
          new PlannerSuite(),
          new MemorySuite(),
          PlanningSuite.sharing(),
          PlanningSuite.rows(),
          new FailuresSuite(),
          new EpiloguesSuite(),
          new OpenSuite(),
          new SoundnessSuite(),
          new ServingSuite(),
          new LengthsSuite());

  private Suites() {}
}
