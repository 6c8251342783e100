package io.miniinference.bench.planner;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.verify.VerifiedPlan;
import java.nio.file.Path;
import java.util.Locale;
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
  private static final int MAX_BATCH = 256;

  /// A model's file, empty for a program of [#family].
  @Param("")
  public String file = "";

  /// Who makes up the program if no file is named.
  @Param("NETWORK")
  public Family family = Family.NETWORK;

  /// How many steps it has.
  @Param("1")
  public int steps = 1;

  private Program program = Programs.synthetic(1);

  /// Programs that nobody wrote.
  public enum Family {
    /// One whose first greedy order is as low as can be.
    NETWORK,
    /// One that needs the exact search.
    SYNTHETIC;

    /// As people know it.
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Setup
  public void lower() {
    program =
        !file.isEmpty()
            ? Programs.ofModel(Path.of(file))
            : switch (family) {
              case NETWORK -> LongNetwork.of(steps);
              case SYNTHETIC -> Programs.synthetic(steps);
            };
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
