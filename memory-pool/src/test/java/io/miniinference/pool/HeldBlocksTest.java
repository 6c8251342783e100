package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Held blocks by tag: taken again without the free list, given back before anybody is refused.
class HeldBlocksTest {
  private final MemoryPool pool = new MemoryPool(64 * 1024);
  private final HeldBlocks held = new HeldBlocks(pool, 32 * 1024);

  @AfterEach
  void thePoolIsWhole() {
    pool.validateIntegrity();
  }

  private void hold(String tag, long bytes) {
    held.release(held.acquire(tag, bytes).orThrow());
  }

  private String heldTags() {
    return pool.memoryMap().blocks().stream()
        .filter(b -> b.state() == BlockState.HELD)
        .map(MemoryMap.Entry::owner)
        .sorted()
        .collect(Collectors.joining(","));
  }

  private long freeListTouches() {
    return pool.core().tiling().free.touches();
  }

  @Test
  void threeAlternatingShapesTakeNoNewBlockAfterTheFirstRound() {
    long[] shapes = {1000, 5000, 3000};
    for (long bytes : shapes) {
      hold("scratch", bytes);
    }
    long touches = freeListTouches();
    MemoryMap steady = pool.memoryMap();
    long misses = pool.statistics().events().heldMisses();
    for (int request = 0; request < 1000; request++) {
      hold("scratch", shapes[request % 3]);
    }
    assertThat(freeListTouches()).isEqualTo(touches);
    assertThat(pool.memoryMap()).isEqualTo(steady);
    assertThat(pool.statistics().events().heldMisses()).isEqualTo(misses);
  }

  @Test
  void blocksOfOneTagGoBackAlone() {
    takeAndReleaseAtOnce(1000, 5000, 3000);
    hold("other", 9000);
    long evictions = pool.statistics().events().evictions();

    held.giveBack("scratch");
    held.giveBack("unknown");

    assertThat(heldTags()).isEqualTo("other");
    assertThat(pool.statistics().freeBytes()).isEqualTo(64 * 1024 - Alignment.roundUp(9000));
    assertThat(pool.statistics().events().evictions()).isEqualTo(evictions);
  }

  @Test
  void threeShapesAtOnceTakeNoNewBlockAfterTheFirstRoundEither() {
    takeAndReleaseAtOnce(1000, 5000, 3000);
    long touches = freeListTouches();
    for (int round = 0; round < 333; round++) {
      takeAndReleaseAtOnce(5000, 3000, 1000);
    }
    assertThat(freeListTouches()).isEqualTo(touches);
  }

  private void takeAndReleaseAtOnce(long... shapes) {
    List<Allocation> all = new ArrayList<>();
    for (long bytes : shapes) {
      all.add(held.acquire("scratch", bytes).orThrow());
    }
    all.forEach(held::release);
  }

  @Test
  void threeAlternatingShapesUnderTheirOwnTagsTakeNoNewBlockEither() {
    List<String> tags = List.of("a", "b", "c");
    tags.forEach(tag -> hold(tag, 1000 + tag.charAt(0)));
    long touches = freeListTouches();
    for (int request = 0; request < 1000; request++) {
      String tag = tags.get(request % 3);
      hold(tag, 1000 + tag.charAt(0));
    }
    assertThat(freeListTouches()).isEqualTo(touches);
  }

  @Test
  void aLoadThatNeedsHeldBytesGetsThem() {
    hold("a", 10_000);
    hold("b", 20_000);
    Allocation load = pool.allocate(60_000, "model").orThrow();
    assertThat(load.size()).isEqualTo(60_160);
    assertThat(pool.statistics().heldBytes()).isZero();
    assertThat(pool.statistics().events().evictions()).isEqualTo(2);
  }

  @Test
  void theLeastRecentlyUsedGoesFirstAndNoMoreThanNeeded() {
    Allocation a = held.acquire("a", 8192).orThrow();
    Allocation b = held.acquire("b", 8192).orThrow();
    Allocation c = held.acquire("c", 8192).orThrow();
    held.release(b);
    held.release(a);
    held.release(c);
    pool.allocate(40 * 1024, "fits without").orThrow();
    assertThat(heldTags()).isEqualTo("a,b,c");
    pool.allocate(8192, "needs one").orThrow();
    assertThat(heldTags()).isEqualTo("a,c");
  }

  @Test
  void anAcquireUnderAnotherTagEvictsToo() {
    hold("a", 30_000);
    assertThat(held.acquire("b", 50_000)).isInstanceOf(Allocation.class);
    assertThat(heldTags()).isEmpty();
  }

  @Test
  void neighbouringHeldBlocksMergeForALargerRequest() {
    Allocation a = held.acquire("a", 16 * 1024).orThrow();
    Allocation b = held.acquire("b", 16 * 1024).orThrow();
    pool.allocate(32 * 1024, "rest").orThrow();
    held.release(a);
    held.release(b);
    assertThat(pool.allocate(20 * 1024)).isInstanceOf(Allocation.class);
  }

  @Test
  void aRefusalThatHeldBytesCannotPreventLeavesThemHeld() {
    hold("a", 4096);
    Allocation gap = pool.allocate(4096, "gap").orThrow();
    Allocation b = held.acquire("b", 4096).orThrow();
    pool.allocate(64 * 1024 - 3 * 4096, "rest").orThrow();
    held.release(b);
    MemoryMap before = pool.memoryMap();
    Refusal refusal = (Refusal) pool.allocate(8192, "too long");
    assertThat(pool.memoryMap()).isEqualTo(before);
    assertThat(refusal.pool().heldBytes()).isEqualTo(8192);
    assertThat(pool.statistics().events().evictions()).isZero();
    gap.close();
    assertThat(pool.allocate(8192)).isInstanceOf(Allocation.class);
  }

  @Test
  void ordersOfAgeSurviveARefusal() {
    Allocation first = held.acquire("first", 8192).orThrow();
    Allocation second = held.acquire("second", 8192).orThrow();
    Allocation wall = pool.allocate(256, "wall").orThrow();
    held.release(first);
    held.release(second);
    assertThat(pool.allocate(60 * 1024)).isInstanceOf(Refusal.class);
    assertThat(heldTags()).isEqualTo("first,second");
    pool.allocate(pool.statistics().largestFreeBytes(), "rest").orThrow();
    pool.allocate(256, "one more").orThrow();
    assertThat(heldTags()).isEqualTo("second");
    assertThat(wall.isLive()).isTrue();
  }

  @Test
  void aTagTakesItsSmallestBlockThatFits() {
    Allocation large = held.acquire("t", 4096).orThrow();
    Allocation small = held.acquire("t", 2048).orThrow();
    held.release(large);
    held.release(small);
    assertThat(held.acquire("t", 2000).orThrow().offset()).isEqualTo(small.offset());
    assertThat(held.acquire("t", 2049).orThrow().offset()).isEqualTo(large.offset());
  }

  @Test
  void aBlockMoreThanTwiceTooLargeIsLeftForOthers() {
    hold("t", 8192);
    assertThat(held.acquire("t", 2048).orThrow().size()).isEqualTo(2048);
    assertThat(held.acquire("t", 4096).orThrow().size()).isEqualTo(8192);
  }

  @Test
  void smallBlocksAreTakenWhateverTheyWaste() {
    hold("t", 3840);
    Allocation again = held.acquire("t", 1).orThrow();
    assertThat(again.size()).isEqualTo(3840);
    assertThat(again.requestedBytes()).isEqualTo(1);
    assertThat(pool.statistics().paddingBytes()).isEqualTo(3839);
  }

  @Test
  void theLimitEvictsTheOldestOnRelease() {
    hold("a", 16 * 1024);
    hold("b", 16 * 1024);
    hold("c", 256);
    assertThat(heldTags()).isEqualTo("b,c");
    assertThat(pool.statistics().heldBytes()).isEqualTo(16 * 1024 + 256);
  }

  @Test
  void aBlockOverTheLimitGoesStraightBack() {
    hold("a", 1000);
    hold("huge", 33 * 1024);
    assertThat(heldTags()).isEqualTo("a");
  }

  @Test
  void emptyBlocksAreNotHeld() {
    hold("t", 0);
    assertThat(pool.statistics().heldBlocks()).isZero();
  }

  @Test
  void aPoolHasOneSetOfHeldBlocksAtATime() {
    assertThatThrownBy(() -> new HeldBlocks(pool, 1)).isInstanceOf(IllegalStateException.class);
    held.close();
    assertThat(new HeldBlocks(pool, 1)).isNotNull();
  }

  @Test
  void closingGivesAllHeldBytesBack() {
    hold("a", 1000);
    Allocation out = held.acquire("b", 1000).orThrow();
    held.close();
    held.close();
    assertThat(pool.statistics().heldBytes()).isZero();
    held.release(out);
    assertThat(pool.statistics().freeBytes()).isEqualTo(64 * 1024);
    assertThatThrownBy(() -> held.acquire("a", 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aNegativeLimitIsAnError() {
    assertThatThrownBy(() -> new HeldBlocks(new MemoryPool(256), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void bytesAreAsLeftWhereNobodyHadThemMeanwhile() {
    Allocation first = held.acquire("shape", 5000).orThrow();
    assertThat(first.isAsLeft()).isFalse();
    held.release(first);

    Allocation again = held.acquire("shape", 5000).orThrow();
    assertThat(again.isAsLeft()).isTrue();
    assertThat(again.offset()).isEqualTo(first.offset());
    held.release(again);

    pool.allocate(60 * 1024, "everything").orThrow().close(); // which evicts it
    Allocation anew = held.acquire("shape", 5000).orThrow();
    assertThat(anew.offset()).isEqualTo(first.offset());
    assertThat(anew.isAsLeft()).isFalse();
  }

  @Test
  void bytesAreNotAsLeftWhereALeaseThatWasTakenBackHadThem() {
    hold("shape", 5000);
    try (Lease lease = pool.lease("model")) {
      lease.allocate(60 * 1024, "weights").orThrow();
    }

    assertThat(heldTags()).isEqualTo("shape");
    assertThat(held.acquire("shape", 5000).orThrow().isAsLeft()).isFalse();
  }
}
