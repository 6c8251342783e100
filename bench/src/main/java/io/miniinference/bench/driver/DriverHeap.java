package io.miniinference.bench.driver;

import io.miniinference.device.DeviceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jocl.cl_mem;

/// Live buffers of a driver, each touched on every page, left over from more: some were released
/// again, drawn at random, so that whatever the driver keeps its memory in is in pieces.
///
/// For one thread. A failure of the driver leaves it as it is, to be closed.
public final class DriverHeap implements AutoCloseable {
  /// Launches that are queued before they are waited for.
  private static final int QUEUED = 64;

  /// Of the buffers made, so many percent may stay: the others are released.
  private static final int MOST_LIVE_PERCENT = 90;

  private final DriverDevice device;
  private final long blockBytes;
  private final List<cl_mem> live = new ArrayList<>();
  private final Random random;

  private DriverHeap(DriverDevice device, long blockBytes, long seed) {
    this.device = device;
    this.blockBytes = blockBytes;
    random = new Random(seed);
  }

  /// What a heap is to be.
  ///
  /// @param live buffers wanted; as many are made and released again, as far as they fit
  /// @param blockBytes of each
  /// @param mostBytes of all of them together, at any time
  /// @param limit no more buffers are made after it
  public record Wanted(int live, long blockBytes, long mostBytes, Duration limit) {

    /// Buffers to make.
    long made() {
      return Math.max(1, Math.min(2L * live, mostBytes / blockBytes));
    }
  }

  /// Makes as many live buffers as are wanted, or as many as memory, time and the driver allow.
  public static DriverHeap fill(DriverDevice device, Wanted wanted, long seed) {
    DriverHeap heap = new DriverHeap(device, wanted.blockBytes, seed);
    try {
      heap.grow(wanted);
      heap.thin(wanted);
      return heap;
    } catch (RuntimeException e) {
      heap.close();
      throw e;
    }
  }

  /// A driver that has had enough says so: that is an answer, too.
  private void grow(Wanted wanted) {
    long end = System.nanoTime() + wanted.limit.toNanos();
    try {
      do {
        cl_mem buffer = device.create(blockBytes);
        live.add(buffer);
        device.launch(buffer, 0, blockBytes);
        if (live.size() % QUEUED == 0) {
          device.finish();
        }
      } while (live.size() < wanted.made() && System.nanoTime() < end);
      device.finish();
    } catch (DeviceException e) {
      if (live.size() < QUEUED) {
        throw e;
      }
    }
  }

  private void thin(Wanted wanted) {
    int left = Math.clamp(live.size() * MOST_LIVE_PERCENT / 100L, 1, wanted.live);
    Collections.shuffle(live, random);
    while (live.size() > left) {
      device.release(live.removeLast());
    }
  }

  /// Buffers that are live.
  public int size() {
    return live.size();
  }

  /// Creates a buffer, touches it, and releases it.
  public void freedAtOnce() {
    cl_mem buffer = device.create(blockBytes);
    device.touch(buffer, 0, blockBytes);
    device.release(buffer);
  }

  /// Releases one of the live buffers, drawn at random, and creates and touches one in its stead,
  /// of a random size from 7/8 of a block to a block.
  public void inPlaceOfAny() {
    Collections.swap(live, random.nextInt(live.size()), live.size() - 1);
    device.release(live.removeLast());
    long bytes = blockBytes - random.nextLong(blockBytes / 8);
    live.add(device.create(bytes));
    device.touch(live.getLast(), 0, bytes);
  }

  /// Releases all buffers.
  @Override
  public void close() {
    live.forEach(device::release);
    live.clear();
  }
}
