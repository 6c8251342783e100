package io.miniinference.bench.jmh;

import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Setting;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// A run of the benchmarks of one class in JVMs of their own, quiet on both streams.
public final class JmhRun {
  private static final int FORKS = 2;
  private static final int WARM_UPS = 5;
  private static final int ITERATIONS = 10;
  private static final TimeValue ITERATION = TimeValue.milliseconds(300);
  private static final TimeValue QUICK_ITERATION = TimeValue.milliseconds(20);

  private JmhRun() {}

  /// Options that suites share: forks, iterations and their length; tiny ones in this JVM for a
  /// quick run. A suite adds parameters.
  public static ChainedOptionsBuilder options(Class<?> benchmarks, Setting setting) {
    ChainedOptionsBuilder common =
        new OptionsBuilder()
            .include("^" + benchmarks.getName().replace("$", "\\$") + "\\.")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    return setting.quick()
        ? common
            .forks(0)
            .warmupIterations(1)
            .warmupTime(QUICK_ITERATION)
            .measurementIterations(2)
            .measurementTime(QUICK_ITERATION)
        : common
            .forks(FORKS)
            .warmupIterations(WARM_UPS)
            .warmupTime(ITERATION)
            .measurementIterations(ITERATIONS)
            .measurementTime(ITERATION);
  }

  /// Runs.
  ///
  /// @throws BenchException if a benchmark fails
  public static Collection<RunResult> run(ChainedOptionsBuilder options) {
    try {
      var silence = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
      return new Runner(options.build(), silence).run();
    } catch (RunnerException e) {
      throw new BenchException("JMH: " + e.getMessage(), e);
    }
  }

  /// The scores of all iterations of all forks, in the benchmark's own unit.
  public static double[] scores(RunResult result) {
    return result.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .map(IterationResult::getPrimaryResult)
        .mapToDouble(primary -> primary.getScore())
        .toArray();
  }

  /// Their spread.
  public static Spread spread(RunResult result) {
    return Spread.of(scores(result));
  }

  /// The name of the method that was measured.
  public static String method(RunResult result) {
    List<String> names = List.of(result.getParams().getBenchmark().split("\\."));
    return names.getLast();
  }
}
