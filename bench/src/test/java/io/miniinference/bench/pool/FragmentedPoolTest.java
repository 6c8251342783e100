package io.miniinference.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pool.Allocation;
import io.miniinference.pool.PoolStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The heaps that are measured are what the tables say they are.
final class FragmentedPoolTest {
  private static final long SEED = 5;

  @Test
  void aboutHalfIsFreeAndInPieces() {
    FragmentedPool heap = new FragmentedPool(1_000, SEED);
    Allocation last = heap.replaceAny();
    PoolStatistics figures = heap.pool().statistics();

    assertThat(figures.capacityBytes()).isEqualTo(2_000 * FragmentedPool.MIB);
    assertThat(figures.usedBlocks()).isEqualTo(1_000);
    assertThat(figures.freeBlocks()).isGreaterThan(300);
    assertThat(figures.freeBytes())
        .isBetween(1_000 * FragmentedPool.MIB, 1_125 * FragmentedPool.MIB);
    assertThat(figures.fragmentationRatio()).isGreaterThan(0.9);
    assertThat(last.requestedBytes()).isBetween(FragmentedPool.MIB / 8 * 7, FragmentedPool.MIB);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 50})
  void aHeapTakesAnyNumberOfReplacements(int live) {
    for (long seed = 0; seed < 20; seed++) {
      FragmentedPool heap = new FragmentedPool(live, seed);
      for (int i = 0; i < 1_000; i++) {
        assertThat(heap.replaceAny().isLive()).as("seed %d", seed).isTrue();
      }
      assertThat(heap.pool().statistics().usedBlocks()).isEqualTo(live);
      heap.pool().validateIntegrity();
    }
  }
}
