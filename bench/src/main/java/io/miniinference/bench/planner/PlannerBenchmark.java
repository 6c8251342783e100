package io.miniinference.bench.planner;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.verify.VerifiedPlan;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A plan for all buckets up to batch 256, and its proof.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PlannerBenchmark {
  static final String SYNTHETIC = "synthetic";
  static final int SYNTHETIC_STEPS = 1_000;
  private static final int MAX_BATCH = 256;

  /// A model's file, or [#SYNTHETIC].
  @Param(SYNTHETIC)
  public String file = SYNTHETIC;

  private Program program = Programs.synthetic(1);

  @Setup
  public void lower() {
    program =
        file.equals(SYNTHETIC)
            ? Programs.synthetic(SYNTHETIC_STEPS)
            : Programs.ofModel(Path.of(file));
  }

  @Benchmark
  public VerifiedPlan plan() {
    VerifiedPlan plan = VerifiedPlan.of(program, PlanOptions.upTo(MAX_BATCH));
    if (plan.fallback().isPresent()) {
      throw new IllegalStateException("an unsound plan: " + plan.fallback().get());
    }
    return plan;
  }
}
