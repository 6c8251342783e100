package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A model's load is all or nothing, and its blocks are its own until the unload.
class LeaseTest {
  private final MemoryPool pool = new MemoryPool(64 * 1024);

  @AfterEach
  void thePoolIsWhole() {
    pool.validateIntegrity();
  }

  @Test
  void committedBlocksStayUntilTheirOwnerCloses() {
    OwnedBlocks owned;
    try (Lease lease = pool.lease("mnist")) {
      lease.allocate(1000, "weights").orThrow();
      lease.allocate(5000, "arena 0").orThrow();
      owned = lease.commit();
    }
    assertThat(pool.statistics().usedBytes()).isEqualTo(owned.sizeBytes()).isEqualTo(6144);
    assertThat(owned.allocations())
        .extracting(Allocation::owner)
        .containsExactly("mnist/weights", "mnist/arena 0");
    owned.close();
    owned.close();
    assertThat(pool.memoryMap()).isEqualTo(new MemoryPool(64 * 1024).memoryMap());
  }

  @Test
  void aFailedLoadLeavesThePoolAsItWas() {
    pool.allocate(1000, "other").orThrow();
    Allocation hole = pool.allocate(2000).orThrow();
    pool.allocate(3000, "other").orThrow();
    hole.close();
    MemoryMap before = pool.memoryMap();
    assertThatThrownBy(
            () -> {
              try (Lease lease = pool.lease("big")) {
                lease.allocate(1500, "weights").orThrow();
                lease.allocate(20_000, "arena 0").orThrow();
                lease.allocate(50_000, "arena 1").orThrow();
                lease.commit();
              }
            })
        .isInstanceOf(PoolExhaustedException.class)
        .hasMessageContaining("\"big/arena 1\" asked for 50000 bytes");
    assertThat(pool.memoryMap()).isEqualTo(before);
  }

  @Test
  void aFailedLoadLeavesHeldBlocksHeldInTheirOrder() {
    HeldBlocks held = new HeldBlocks(pool, 32 * 1024);
    Allocation a = held.acquire("a", 8192).orThrow();
    Allocation b = held.acquire("b", 8192).orThrow();
    Allocation c = held.acquire("c", 8192).orThrow();
    held.release(c);
    held.release(a);
    held.release(b);
    MemoryMap before = pool.memoryMap();
    try (Lease lease = pool.lease("big")) {
      lease.allocate(45_000, "weights").orThrow();
      assertThat(pool.statistics().heldBytes()).isEqualTo(16 * 1024);
      lease.allocate(16_000, "arena").orThrow();
      assertThat(pool.statistics().heldBytes()).isZero();
      assertThat(lease.allocate(10_000, "another")).isInstanceOf(Refusal.class);
    }
    assertThat(pool.memoryMap()).isEqualTo(before);
    pool.allocate(45_000).orThrow();
    assertThat(pool.memoryMap().blocks())
        .filteredOn(block -> block.state() == BlockState.HELD)
        .extracting(MemoryMap.Entry::owner)
        .containsExactly("a", "b");
  }

  @Test
  void heldBlocksWhosePlaceWasTakenMeanwhileAreLetGo() {
    HeldBlocks held = new HeldBlocks(pool, 64 * 1024);
    held.release(held.acquire("a", 16 * 1024).orThrow());
    Lease lease = pool.lease("model");
    Allocation weights = lease.allocate(64 * 1024, "weights").orThrow();
    weights.close();
    pool.allocate(256, "quicker").orThrow();
    lease.close();
    assertThat(pool.statistics().heldBlocks()).isZero();
    assertThat(pool.statistics().usedBytes()).isEqualTo(256);
  }

  @Test
  void aRefusedLeaseCannotBeCommitted() {
    Lease lease = pool.lease("model");
    lease.allocate(1000, "weights").orThrow();
    assertThat(lease.allocate(1 << 20, "arena")).isInstanceOf(Refusal.class);
    assertThatThrownBy(lease::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"model\"");
    lease.close();
    assertThat(pool.statistics().usedBytes()).isZero();
  }

  @Test
  void anOptionalRefusalDoesNotDoomTheLease() {
    Lease lease = pool.lease("model");
    lease.allocate(1000, "weights").orThrow();
    assertThat(lease.allocateOptional(1 << 20, "packed weights")).isInstanceOf(Refusal.class);
    assertThat(lease.commit().allocations()).hasSize(1);
  }

  @Test
  void blocksFreedOneByOneAreSkippedLater() {
    Lease lease = pool.lease("model");
    Allocation scratch = lease.allocate(1000, "scratch").orThrow();
    lease.allocate(1000, "weights").orThrow();
    OwnedBlocks owned = lease.commit();
    scratch.close();
    Allocation other = pool.allocate(1000, "other").orThrow();
    owned.close();
    assertThat(other.isLive()).isTrue();
    assertThat(pool.statistics().usedBytes()).isEqualTo(1024);
  }

  @Test
  void anEndedLeaseAllocatesNoMore() {
    Lease lease = pool.lease("model");
    lease.close();
    assertThatThrownBy(() -> lease.allocate(1, "late")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lease::commit).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPoolOfExactlyTheSumLoadsAndOfOneUnitLessRefuses() {
    long[] sizes = {1000, 0, 256, 70_000, 1};
    long sum = 1024 + 256 + 70_144 + 256;
    assertThat(loads(new MemoryPool(sum), sizes)).isTrue();
    assertThat(loads(new MemoryPool(sum - 256), sizes)).isFalse();
  }

  private static boolean loads(MemoryPool pool, long[] sizes) {
    try (Lease lease = pool.lease("model")) {
      boolean all = true;
      for (long bytes : sizes) {
        all &= lease.allocate(bytes, "part") instanceof Allocation;
      }
      return all;
    }
  }
}
