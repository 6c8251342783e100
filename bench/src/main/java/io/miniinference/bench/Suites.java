package io.miniinference.bench;

import io.miniinference.bench.models.EpiloguesSuite;
import io.miniinference.bench.models.FailuresSuite;
import io.miniinference.bench.models.KernelsSuite;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.bench.models.OpenSuite;
import io.miniinference.bench.pool.PoolSuite;
import io.miniinference.bench.serving.LengthsSuite;
import io.miniinference.bench.serving.ServingSuite;
import io.miniinference.bench.suite.Suite;
import java.util.List;

/// All suites, in the order in which they run.
final class Suites {
  static final List<Suite> ALL =
      List.of(
          PoolSuite.SUITE,
          ModelsSuite.MODELS,
          KernelsSuite.SUITE,
          ModelsSuite.JVM,
          ModelsSuite.SHARING,
          ModelsSuite.ROWS,
          FailuresSuite.SUITE,
          EpiloguesSuite.SUITE,
          OpenSuite.SUITE,
          ServingSuite.SUITE,
          LengthsSuite.SUITE);

  private Suites() {}
}
