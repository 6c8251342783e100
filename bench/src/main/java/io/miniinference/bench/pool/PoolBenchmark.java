package io.miniinference.bench.pool;

import io.miniinference.pool.Allocation;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One allocate and one free in a pool that is half free and in pieces.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PoolBenchmark {
  private static final long SEED = 20_261_121;

  /// A heap in which every other block was freed.
  @State(Scope.Thread)
  public static class Chequered {
    @Param({"10", "1000", "100000"})
    int live = 1;

    private FragmentedPool heap = new FragmentedPool(1, SEED);

    @Setup
    public void fill() {
      heap = new FragmentedPool(live, SEED);
    }
  }

  /// A heap that has been in use for long.
  @State(Scope.Thread)
  public static class Aged {
    @Param({"10", "1000", "100000"})
    int live = 1;

    private FragmentedPool heap = new FragmentedPool(1, SEED);

    @Setup
    public void fill() {
      heap = FragmentedPool.aged(live, SEED);
    }
  }

  /// The same hole again and again.
  @Benchmark
  public void freedAtOnce(Chequered state) {
    state.heap.allocateMib().close();
  }

  /// Another hole each time.
  @Benchmark
  public void anySizeFreedAtOnce(Chequered state) {
    state.heap.allocateAnySize().close();
  }

  /// Another hole and another block each time: holes merge on both sides, and what is visited was
  /// not visited lately.
  @Benchmark
  public Allocation inPlaceOfAny(Aged state) {
    return state.heap.replaceAny();
  }
}
