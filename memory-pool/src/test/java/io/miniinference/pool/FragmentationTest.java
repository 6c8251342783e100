package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// RFC 0002, kind 3: the fragmentation ratio under various patterns.
class FragmentationTest {
  private static final int BLOCKS = 64;
  private final MemoryPool pool = new MemoryPool(BLOCKS * 1024);

  private List<Allocation> fill() {
    List<Allocation> all = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      all.add(pool.allocate(1024, "block " + i).orThrow());
    }
    return all;
  }

  @Test
  void anUntouchedPoolIsNotFragmented() {
    assertThat(pool.statistics().fragmentationRatio()).isZero();
  }

  @Test
  void aFullPoolIsNotFragmented() {
    fill();
    assertThat(pool.statistics().freeBytes()).isZero();
    assertThat(pool.statistics().fragmentationRatio()).isZero();
  }

  @Test
  void aChequerboardIsAsFragmentedAsItsPieces() {
    List<Allocation> all = fill();
    for (int i = 0; i < BLOCKS; i += 2) {
      all.get(i).close();
    }
    double pieces = BLOCKS / 2;
    assertThat(pool.statistics().fragmentationRatio()).isEqualTo(1 - 1 / pieces, within(1e-12));
  }

  @Test
  void freeingFromOneEndLeavesNoFragments() {
    List<Allocation> all = fill();
    for (int i = 0; i < BLOCKS / 2; i++) {
      all.get(i).close();
      assertThat(pool.statistics().fragmentationRatio()).isZero();
    }
  }

  @Test
  void aFragmentedPoolRefusesWhatItsFreeBytesWouldHold() {
    List<Allocation> all = fill();
    for (int i = 1; i < BLOCKS; i += 2) {
      all.get(i).close();
    }
    Refusal refusal = (Refusal) pool.allocate(2000, "model x");
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NOTHING_CONTIGUOUS);
    assertThat(refusal.requestedBytes()).isEqualTo(2000);
    assertThat(refusal.roundedBytes()).isEqualTo(2048);
    assertThat(refusal.freeBytes()).isEqualTo(BLOCKS / 2 * 1024);
    assertThat(refusal.largestFreeBytes()).isEqualTo(1024);
    assertThat(refusal.smallestCapacityBytes()).isEqualTo((BLOCKS + 1) * 1024);
    assertThat(refusal.message())
        .isEqualTo(
            "\"model x\" asked for 2000 bytes (2048 in blocks of 256), and no free run of that length:"
                + " of 65536 bytes 32768 are used, 0 held, 32768 free, 1024 in the largest piece."
                + " Free memory or raise the pool's capacity to at least 66560 bytes.");
  }

  @Test
  void theSmallestCapacityOfARefusalIsExact() {
    fill();
    Refusal refusal = (Refusal) pool.allocate(5000);
    long enough = refusal.smallestCapacityBytes();
    assertThat(fillsAndTakes(enough, 5000)).isTrue();
    assertThat(fillsAndTakes(enough - 256, 5000)).isFalse();
  }

  private static boolean fillsAndTakes(long capacity, long bytes) {
    MemoryPool other = new MemoryPool(capacity);
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(other.allocate(1024)).isInstanceOf(Allocation.class);
    }
    return other.allocate(bytes) instanceof Allocation;
  }
}
