package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// RFC 0002, kind 4: zero, maximum and boundaries.
class EdgesTest {
  private final MemoryPool pool = new MemoryPool(4096);

  @Test
  void zeroBytesTakeNoBlockAndAreGivenBackOnce() {
    Allocation empty = pool.allocate(0, "no weights").orThrow();
    assertThat(empty.size()).isZero();
    assertThat(pool.statistics().usedBytes()).isZero();
    assertThat(pool.statistics().usedBlocks()).isZero();
    pool.validateIntegrity();
    empty.close();
    assertThatThrownBy(empty::close).isInstanceOf(IllegalStateException.class);
    pool.validateIntegrity();
  }

  @Test
  void zeroBytesFitIntoAFullPool() {
    pool.allocate(4096).orThrow();
    assertThat(pool.allocate(0)).isInstanceOf(Allocation.class);
  }

  @Test
  void aNegativeSizeIsAnError() {
    assertThatThrownBy(() -> pool.allocate(-1, "model"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"model\" asked for -1 bytes: a size cannot be negative");
  }

  @Test
  void theWholeCapacityCanBeTakenAgainAndAgain() {
    for (int i = 0; i < 3; i++) {
      Allocation whole = pool.allocate(4096).orThrow();
      assertThat(pool.statistics().utilization()).isEqualTo(1);
      assertThat(pool.statistics().largestFreeBytes()).isZero();
      whole.close();
    }
    pool.validateIntegrity();
  }

  @Test
  void oneByteOverTheCapacityIsRefused() {
    Refusal refusal = (Refusal) pool.allocate(4097, "model");
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVER_CAPACITY);
    assertThat(refusal.smallestCapacityBytes()).isEqualTo(4352);
    assertThat(refusal.message())
        .isEqualTo(
            "\"model\" asked for 4097 bytes (4352 in blocks of 256), more than the pool's whole"
                + " capacity of 4096 bytes. Raise the pool's capacity to at least 4352 bytes.");
    pool.validateIntegrity();
  }

  @Test
  void theSmallestCapacityCountsWhatIsUsed() {
    pool.allocate(1000).orThrow();
    assertThat(((Refusal) pool.allocate(8192)).smallestCapacityBytes()).isEqualTo(1024 + 8192);
  }

  @Test
  void theLargestSizesThereAreAreRefusedWithoutOverflow() {
    pool.allocate(256).orThrow();
    for (long bytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 255, Long.MAX_VALUE - 256}) {
      Refusal refusal = (Refusal) pool.allocate(bytes);
      assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVER_CAPACITY);
      assertThat(refusal.roundedBytes()).isGreaterThan(Long.MAX_VALUE - 512);
      assertThat(refusal.smallestCapacityBytes()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void aPoolMayBeAsLargeAsALong() {
    MemoryPool vast = new MemoryPool(Long.MAX_VALUE);
    Allocation most = vast.allocate(vast.capacity() - 256).orThrow();
    assertThat(vast.allocate(256).orThrow().offset()).isEqualTo(most.size());
    assertThat(vast.allocate(1)).isInstanceOf(Refusal.class);
    vast.validateIntegrity();
  }

  @Test
  void sizesRoundUpAtTheBoundary() {
    assertThat(pool.allocate(255).orThrow().size()).isEqualTo(256);
    assertThat(pool.allocate(256).orThrow().size()).isEqualTo(256);
    Allocation past = pool.allocate(257).orThrow();
    assertThat(past.size()).isEqualTo(512);
    assertThat(past.offset()).isEqualTo(512);
    assertThat(pool.statistics().requestedBytes()).isEqualTo(768);
    assertThat(pool.statistics().paddingBytes()).isEqualTo(256);
  }

  @Test
  void theLastUnitOfTheCapacityIsUsable() {
    pool.allocate(4096 - 256).orThrow();
    assertThat(pool.allocate(256).orThrow().offset()).isEqualTo(4096 - 256);
  }

  @Test
  void anUnevenCapacityLosesItsTail() {
    assertThat(new MemoryPool(1023).capacity()).isEqualTo(768);
  }

  @Test
  void aCapacityBelowOneBlockIsAnError() {
    assertThatThrownBy(() -> new MemoryPool(255))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("255");
  }

  @Test
  void aRefusalThrowsItsMessageWhereMemoryIsNeeded() {
    Refusal refusal = (Refusal) pool.allocate(10_000, "model");
    assertThatThrownBy(refusal::orThrow)
        .isInstanceOf(PoolExhaustedException.class)
        .hasMessage(refusal.message())
        .extracting(e -> ((PoolExhaustedException) e).refusal())
        .isSameAs(refusal);
  }
}
