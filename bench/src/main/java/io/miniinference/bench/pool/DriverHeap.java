package io.miniinference.bench.pool;

import module java.base;

import io.miniinference.device.DeviceException;
import org.jocl.cl_mem;

/// Live buffers of a driver, each touched on every page, left over from more: some were released
/// again, drawn at random, so that whatever the driver keeps its memory in is in pieces.
final class DriverHeap implements AutoCloseable {
  /// Of the buffers made, so many percent may stay: the others are released.
  private static final int MOST_LIVE_PERCENT = 90;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Driver driver;
  private final long blockBytes;
  private final List<cl_mem> live = new ArrayList<>();
  private final Random random;

  /// Makes as many live buffers as are wanted, or as many as memory, a minute and the driver allow.
  ///
  /// @param wanted live buffers; as many are made and released again, as far as they fit
  /// @param blockBytes of each
  /// @param mostBytes of all of them together, at any time
  DriverHeap(Driver driver, int wanted, long blockBytes, long mostBytes, long seed) {
    this.driver = driver;
    this.blockBytes = blockBytes;
    random = new Random(seed);
    try {
      grow(Math.clamp(mostBytes / blockBytes, 1, 2L * wanted));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    int left = Math.clamp(live.size() * MOST_LIVE_PERCENT / 100L, 1, wanted);
    Collections.shuffle(live, random);
    while (live.size() > left) {
      driver.release(live.removeLast());
    }
  }

  /// A driver that has had enough says so: that is an answer, too.
  private void grow(long most) {
    long end = System.nanoTime() + LIMIT.toNanos();
    try {
      while (live.size() < most && System.nanoTime() < end) {
        add(blockBytes);
      }
    } catch (DeviceException e) {
      if (live.size() < 2) {
        throw e;
      }
    }
  }

  private void add(long bytes) {
    live.add(driver.create(bytes));
    driver.touch(live.getLast(), 0, bytes);
  }

  /// Buffers that are live.
  int size() {
    return live.size();
  }

  /// Releases one of the live buffers, drawn at random, and creates and touches one in its stead,
  /// of a random size from 7/8 of a block to a block.
  void replaceAny() {
    Collections.swap(live, random.nextInt(live.size()), live.size() - 1);
    driver.release(live.removeLast());
    add(blockBytes - random.nextLong(blockBytes / 8));
  }

  @Override
  public void close() {
    live.forEach(driver::release);
  }
}
