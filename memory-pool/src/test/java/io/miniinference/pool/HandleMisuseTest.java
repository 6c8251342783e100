package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The RFC's table of errors for handles: double free, and invalid (stale or foreign) handles.
class HandleMisuseTest {
  private final MemoryPool pool = new MemoryPool(4096);

  @AfterEach
  void thePoolIsUnharmed() {
    pool.validateIntegrity();
  }

  @Test
  void freeingTwiceIsADoubleFree() {
    Allocation handle = pool.allocate(1000, "x").orThrow();
    pool.free(handle);
    assertThatThrownBy(() -> pool.free(handle))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("allocation #1 \"x\" [0, 1024) was already given back: free each handle once");
  }

  @Test
  void closingTwiceIsADoubleFreeToo() {
    Allocation handle = pool.allocate(1000).orThrow();
    handle.close();
    assertThatThrownBy(handle::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDoubleFreeIsToldAfterMergingAndSplittingAroundIt() {
    Allocation first = pool.allocate(512).orThrow();
    Allocation second = pool.allocate(512).orThrow();
    first.close();
    second.close();
    pool.allocate(512).orThrow();
    assertThatThrownBy(second::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(first::close).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHandleWhosePlaceHasANewOwnerIsStale() {
    Allocation old = pool.allocate(1000, "old").orThrow();
    old.close();
    Allocation fresh = pool.allocate(1000, "new").orThrow();
    assertThat(fresh.offset()).isEqualTo(old.offset());
    assertThatThrownBy(old::close)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"old\"")
        .hasMessageContaining("stale");
    assertThat(fresh.isLive()).isTrue();
    assertThat(old.isLive()).isFalse();
  }

  @Test
  void aHandleOfWhichAnyByteHasANewOwnerIsStale() {
    Allocation low = pool.allocate(256).orThrow();
    Allocation old = pool.allocate(1024).orThrow();
    Allocation rest = pool.allocate(4096 - 1280).orThrow();
    old.close();
    low.close();
    pool.allocate(1024).orThrow();
    assertThatThrownBy(old::close).isInstanceOf(IllegalArgumentException.class);
    rest.close();
    assertThatThrownBy(old::close).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHandleOfAnotherPoolIsForeign() {
    Allocation foreign = new MemoryPool(4096).allocate(1000, "theirs").orThrow();
    pool.allocate(1000).orThrow();
    assertThatThrownBy(() -> pool.free(foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"theirs\"")
        .hasMessageContaining("another pool");
    assertThat(foreign.isLive()).isTrue();
  }

  @Test
  void releasedHandlesAreToldApartAlike() {
    HeldBlocks held = new HeldBlocks(pool, 4096);
    Allocation first = held.acquire("t", 512).orThrow();
    held.release(first);
    assertThatThrownBy(() -> held.release(first)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(first::close).isInstanceOf(IllegalStateException.class);
    Allocation again = held.acquire("t", 512).orThrow();
    assertThatThrownBy(first::close).isInstanceOf(IllegalArgumentException.class);
    assertThat(again.isLive()).isTrue();
    Allocation foreign = new MemoryPool(4096).allocate(512).orThrow();
    assertThatThrownBy(() -> held.release(foreign)).isInstanceOf(IllegalArgumentException.class);
  }
}
