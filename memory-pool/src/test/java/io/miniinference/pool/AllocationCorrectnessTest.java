package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// RFC 0002, kind 1: sequential, interleaved and random sizes.
class AllocationCorrectnessTest {
  private final MemoryPool pool = new MemoryPool(1 << 20);

  private Allocation take(long bytes) {
    return pool.allocate(bytes, "test").orThrow();
  }

  @Test
  void sequentialRequestsLieBehindEachOther() {
    assertThat(take(1000).offset()).isEqualTo(0);
    assertThat(take(256).offset()).isEqualTo(1024);
    assertThat(take(1).offset()).isEqualTo(1280);
    pool.validateIntegrity();
  }

  @Test
  void handlesSayWhatWasAskedAndWhatIsUsable() {
    Allocation first = pool.allocate(1000, "weights").orThrow();
    Allocation second = pool.allocate(300).orThrow();
    assertThat(first.size()).isEqualTo(1024);
    assertThat(first.requestedBytes()).isEqualTo(1000);
    assertThat(first.owner()).isEqualTo("weights");
    assertThat(first.generation()).isEqualTo(1);
    assertThat(second.generation()).isEqualTo(2);
    assertThat(second.owner()).isEmpty();
    assertThat(first).hasToString("allocation #1 \"weights\" [0, 1024)");
  }

  @Test
  void bestFitTakesTheSmallestHoleThatIsLargeEnough() {
    Allocation large = take(4096);
    take(256);
    Allocation small = take(1024);
    take(256);
    Allocation middle = take(2048);
    take(256);
    large.close();
    small.close();
    middle.close();
    assertThat(take(1500).offset()).isEqualTo(middle.offset());
    assertThat(take(1024).offset()).isEqualTo(small.offset());
    assertThat(take(2049).offset()).isEqualTo(large.offset());
  }

  @Test
  void amongEqualHolesTheLowestAddressWins() {
    Allocation low = take(512);
    take(256);
    Allocation high = take(512);
    take(256);
    high.close();
    low.close();
    assertThat(take(512).offset()).isEqualTo(low.offset());
  }

  @Test
  void aRemainderOfOneUnitIsSplitOff() {
    Allocation hole = take(1024);
    take(256);
    hole.close();
    assertThat(take(768).size()).isEqualTo(768);
    assertThat(take(256).offset()).isEqualTo(768);
  }

  @Test
  void interleavedFreesAreReused() {
    List<Allocation> all = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      all.add(take(1024));
    }
    for (int i = 0; i < 64; i += 2) {
      all.get(i).close();
    }
    for (int i = 0; i < 64; i += 2) {
      assertThat(take(1024).offset()).isEqualTo(all.get(i).offset());
    }
    assertThat(pool.statistics().usedBytes()).isEqualTo(64 * 1024);
    pool.validateIntegrity();
  }

  @Test
  void randomSizesNeverOverlap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Allocation> live = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        live.remove(random.nextInt(live.size())).close();
      } else if (pool.allocate(1 + random.nextInt(9000)) instanceof Allocation granted) {
        live.add(granted);
      }
    }
    assertThat(live).as("seed %d", seed).isNotEmpty();
    live.sort((a, b) -> Long.compare(a.offset(), b.offset()));
    for (int i = 1; i < live.size(); i++) {
      Allocation before = live.get(i - 1);
      assertThat(live.get(i).offset())
          .as("seed %d, block %d", seed, i)
          .isGreaterThanOrEqualTo(before.offset() + before.size());
    }
    pool.validateIntegrity();
  }
}
