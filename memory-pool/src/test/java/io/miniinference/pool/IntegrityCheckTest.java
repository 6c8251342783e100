package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The integrity check finds each kind of damage.
class IntegrityCheckTest {
  private final MemoryPool pool = new MemoryPool(8192);
  private final HeldBlocks held = new HeldBlocks(pool, 4096);
  private final Tiling tiling = pool.core().tiling();

  /// used [0, 1024), held [1024, 1536), used [1536, 2048), free [2048, 8192)
  @BeforeEach
  void fill() {
    pool.allocate(1000, "a").orThrow();
    Allocation kept = held.acquire("t", 512).orThrow();
    pool.allocate(500, "b").orThrow();
    held.release(kept);
    assertThatCode(pool::validateIntegrity).doesNotThrowAnyException();
  }

  private Block block(int index) {
    Block block = tiling.ring().next;
    for (int i = 0; i < index; i++) {
      block = block.next;
    }
    return block;
  }

  private void expect(String problem) {
    assertThatThrownBy(pool::validateIntegrity)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("corrupt")
        .hasMessageContaining(problem);
  }

  @Test
  void aGapIsFound() {
    Block first = block(0);
    first.next = block(2);
    expect("USED [1536, 2048) should start at 1024");
  }

  @Test
  void anOverlapIsFound() {
    Block overlapping = new Block(1280, 256);
    overlapping.prev = block(1);
    overlapping.next = block(2);
    block(1).next = overlapping;
    expect("FREE [1280, 1536) should start at 1536");
  }

  @Test
  void aOneWayLinkIsFound() {
    block(2).prev = block(0);
    expect("is not the previous block of its next");
  }

  @Test
  void anEndlessRingIsFound() {
    block(2).next = block(1);
    expect("blocks: recorded 4, counted 5");
  }

  @Test
  void unmergedFreeBlocksAreFound() {
    Block free = block(3);
    tiling.carve(free, new Block(2048, 256));
    expect("FREE [2048, 2304) and FREE [2304, 8192) are free and not merged");
  }

  @Test
  void aFreeBlockMissingFromTheFreeListIsFound() {
    tiling.free.remove(block(3));
    expect("FREE [2048, 8192) is missing from the free list");
    expect("free bytes: recorded 0, counted 6144");
  }

  @Test
  void aStrangerInTheFreeListIsFound() {
    tiling.free.add(new Block(512, 256));
    expect("free blocks by address: recorded 2, counted 1");
  }

  @Test
  void aHeldBlockMissingFromItsTagIsFound() {
    pool.core().held().remove(block(1));
    expect("HELD [1024, 1536) is missing from the held blocks");
  }

  @Test
  void aGenerationGivenTwiceIsFound() {
    block(2).generation = block(0).generation;
    expect("shares its generation");
  }

  @Test
  void aGenerationNeverIssuedIsFound() {
    block(0).generation = 99;
    expect("has generation 99, never issued");
  }

  @Test
  void aRequestLargerThanItsBlockIsFound() {
    block(0).requested = 1025;
    expect("USED [0, 1024) serves a request of 1025 bytes");
    expect("requested bytes: recorded 1500, counted 1525");
  }

  @Test
  void aWrongSumIsFound() {
    pool.core().ledger().usedBytes += 256;
    expect("used bytes: recorded 1792, counted 1536");
  }
}
