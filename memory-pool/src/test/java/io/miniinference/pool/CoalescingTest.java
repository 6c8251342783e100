package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// RFC 0002, kind 2: adjacent free blocks merge.
class CoalescingTest {
  private static final int BLOCKS = 4;
  private final MemoryPool pool = new MemoryPool(BLOCKS * 1024);
  private final List<Allocation> all = new ArrayList<>();

  @BeforeEach
  void fillThePool() {
    for (int i = 0; i < BLOCKS; i++) {
      all.add(pool.allocate(1024).orThrow());
    }
  }

  private void free(int... indices) {
    for (int index : indices) {
      pool.free(all.get(index));
      pool.validateIntegrity();
    }
  }

  @Test
  void freeingTheRightNeighbourMerges() {
    free(0, 1);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(1);
    assertThat(pool.statistics().largestFreeBytes()).isEqualTo(2048);
  }

  @Test
  void freeingTheLeftNeighbourMerges() {
    free(1, 0);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(1);
    assertThat(pool.statistics().largestFreeBytes()).isEqualTo(2048);
  }

  @Test
  void freeingBetweenTwoFreeBlocksMergesAllThree() {
    free(0, 2);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(2);
    free(1);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(1);
    assertThat(pool.statistics().largestFreeBytes()).isEqualTo(3072);
    assertThat(pool.statistics().events().coalescings()).isEqualTo(2);
  }

  @Test
  void usedBlocksKeepFreeOnesApart() {
    free(0, 2);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(2);
    assertThat(pool.statistics().largestFreeBytes()).isEqualTo(1024);
  }

  @Test
  void theFirstAndTheLastBlockDoNotMergeAroundTheEnd() {
    free(0, 3);
    assertThat(pool.statistics().freeBlocks()).isEqualTo(2);
  }

  @Test
  void anyOrderOfFreesEndsInOneBlock() {
    long seed = System.nanoTime();
    Collections.shuffle(all, new Random(seed));
    free(0, 1, 2, 3);
    assertThat(pool.memoryMap().blocks()).as("seed %d", seed).hasSize(1);
    assertThat(pool.allocate(BLOCKS * 1024)).isInstanceOf(Allocation.class);
  }
}
