package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Closing the pool, and moving it.
class LifecycleTest {
  private final MemoryPool pool = new MemoryPool(4096);

  @Test
  void afterClosingEverythingFailsClearly() {
    HeldBlocks held = new HeldBlocks(pool, 1024);
    Lease lease = pool.lease("model");
    Allocation handle = lease.allocate(256, "weights").orThrow();
    pool.close();
    List<ThrowingCallable> operations =
        List.of(
            () -> pool.allocate(1),
            () -> pool.allocate(0),
            () -> pool.free(handle),
            handle::close,
            pool::statistics,
            pool::memoryMap,
            pool::validateIntegrity,
            () -> held.acquire("t", 1),
            () -> held.release(handle),
            held::close,
            () -> lease.allocate(1, "more"),
            lease::close,
            () -> new HeldBlocks(pool, 1));
    assertThat(operations)
        .allSatisfy(operation ->
            assertThatThrownBy(operation)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the memory pool is closed"));
    assertThat(handle.isLive()).isFalse();
    assertThat(pool.isClosed()).isTrue();
  }

  @Test
  void closingListsWhatLeaked() {
    pool.allocate(100, "kept").orThrow();
    pool.allocate(200, "returned").orThrow().close();
    HeldBlocks held = new HeldBlocks(pool, 1024);
    held.release(held.acquire("held is no leak", 300).orThrow());
    assertThat(pool.leaks()).isEmpty();
    pool.close();
    pool.close();
    assertThat(pool.leaks())
        .containsExactly(new MemoryMap.Entry(0, 256, BlockState.USED, "kept", 100, 1));
  }

  @Test
  void aMovedPoolCarriesItsBlocksAndHandlesAlong() {
    Allocation handle = pool.allocate(1000, "x").orThrow();
    MemoryMap before = pool.memoryMap();
    MemoryPool successor = pool.transfer();
    assertThat(successor.memoryMap()).isEqualTo(before);
    assertThat(handle.isLive()).isTrue();
    successor.free(handle);
    assertThat(successor.statistics().usedBytes()).isZero();
    successor.validateIntegrity();
  }

  @Test
  void aMovedPoolIsUnusableThroughTheOldObject() {
    Allocation handle = pool.allocate(1000).orThrow();
    MemoryPool successor = pool.transfer();
    List<ThrowingCallable> operations =
        List.of(
            () -> pool.allocate(1),
            () -> pool.free(handle),
            pool::statistics,
            pool::memoryMap,
            pool::validateIntegrity,
            pool::capacity,
            pool::transfer,
            () -> pool.lease("model"),
            () -> new HeldBlocks(pool, 1));
    assertThat(operations)
        .allSatisfy(operation ->
            assertThatThrownBy(operation)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("moved"));
    assertThat(successor.statistics().usedBlocks()).isEqualTo(1);
  }

  @Test
  void closingTheOldObjectDoesNotCloseTheNewOne() {
    MemoryPool successor = pool.transfer();
    pool.close();
    assertThat(successor.isClosed()).isFalse();
    assertThat(successor.allocate(1)).isInstanceOf(Allocation.class);
  }

  @Test
  void leasesAndHeldBlocksSurviveTheMove() {
    HeldBlocks held = new HeldBlocks(pool, 2048);
    Lease lease = pool.lease("model");
    lease.allocate(256, "weights").orThrow();
    MemoryPool successor = pool.transfer();
    held.release(held.acquire("t", 512).orThrow());
    OwnedBlocks owned = lease.commit();
    assertThat(successor.statistics().heldBytes()).isEqualTo(512);
    owned.close();
    held.close();
    assertThat(successor.statistics().freeBytes()).isEqualTo(4096);
  }
}
