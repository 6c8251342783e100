package io.miniinference.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pool.Allocation;
import io.miniinference.pool.BlockState;
import io.miniinference.pool.MemoryMap;
import io.miniinference.pool.PoolStatistics;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The heaps that are measured are what the tables say they are.
final class FragmentedPoolTest {
  private static final long SEED = 5;

  @Test
  void halfIsFreeAndNoHoleTouchesAnother() {
    PoolStatistics figures = new FragmentedPool(1_000, SEED).pool().statistics();

    assertThat(figures.usedBlocks()).isEqualTo(1_000);
    assertThat(figures.freeBlocks()).isEqualTo(1_000);
    assertThat(figures.capacityBytes()).isEqualTo(2_000 * FragmentedPool.MIB);
    assertThat(figures.freeBytes())
        .isCloseTo(1_000 * FragmentedPool.MIB, Percentage.withPercentage(5));
    assertThat(figures.fragmentationRatio()).isGreaterThan(0.99);
  }

  @Test
  void liveBlocksAndHolesAreAroundAMib() {
    List<MemoryMap.Entry> blocks = new FragmentedPool(100, SEED).pool().memoryMap().blocks();

    assertThat(blocks)
        .hasSize(200)
        .allMatch(block -> block.size() >= FragmentedPool.MIB / 2)
        .allMatch(block -> block.size() <= FragmentedPool.MIB / 2 * 3);
    assertThat(blocks.stream().map(MemoryMap.Entry::size).distinct()).hasSizeGreaterThan(150);
    IntStream.range(0, 200)
        .forEach(i ->
            assertThat(blocks.get(i).state())
                .isEqualTo(i % 2 == 0 ? BlockState.FREE : BlockState.USED));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 50})
  void anAgedHeapTakesAnyNumberOfReplacements(int live) {
    for (long seed = 0; seed < 20; seed++) {
      FragmentedPool heap = FragmentedPool.aged(live, seed);
      for (int i = 0; i < 1_000; i++) {
        assertThat(heap.replaceAny().isLive()).as("seed %d", seed).isTrue();
      }
      assertThat(heap.pool().statistics().usedBlocks()).isEqualTo(live);
      heap.pool().validateIntegrity();
    }
  }

  @Test
  void whatIsFreedAtOnceLeavesTheHeapAsItWas() {
    FragmentedPool heap = new FragmentedPool(100, SEED);
    MemoryMap before = heap.pool().memoryMap();
    for (int i = 0; i < 100; i++) {
      heap.allocateMib().close();
    }
    assertThat(heap.pool().memoryMap()).isEqualTo(before);
  }

  @Test
  void anAgedHeapIsStillInPieces() {
    FragmentedPool heap = FragmentedPool.aged(1_000, SEED);
    Allocation last = heap.replaceAny();
    PoolStatistics figures = heap.pool().statistics();

    assertThat(last.requestedBytes()).isBetween(FragmentedPool.MIB / 8 * 7, FragmentedPool.MIB);
    assertThat(figures.freeBlocks()).isGreaterThan(300);
    assertThat(figures.fragmentationRatio()).isGreaterThan(0.9);
  }
}
