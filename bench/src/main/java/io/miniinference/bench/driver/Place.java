package io.miniinference.bench.driver;

import org.jocl.cl_mem;

/// A buffer in which blocks of a pool lie, touched throughout when it is made.
///
/// A pool may be larger than the memory of any device. Its addresses then go round and round in
/// this buffer.
public final class Place implements AutoCloseable {
  private static final long STRETCH_BYTES = 1 << 20;

  private final DriverDevice device;
  private final long bytes;
  private final cl_mem buffer;

  Place(DriverDevice device, long bytes) {
    this.device = device;
    this.bytes = bytes;
    buffer = device.create(bytes);
    for (long first = 0; first < bytes; first += STRETCH_BYTES) {
      device.launch(buffer, first, Math.min(STRETCH_BYTES, bytes - first));
    }
    device.finish();
  }

  /// Touches every page of a block, and waits for it.
  ///
  /// @param from first byte of the block in the pool
  /// @param blockBytes at most the size of this
  public void touch(long from, long blockBytes) {
    device.touch(buffer, from % (bytes - blockBytes + 1), blockBytes);
  }

  @Override
  public void close() {
    device.release(buffer);
  }
}
