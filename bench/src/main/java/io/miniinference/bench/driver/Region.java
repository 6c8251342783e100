package io.miniinference.bench.driver;

import org.jocl.cl_mem;

/// A buffer in which blocks of a pool lie, touched throughout when it is made.
///
/// A pool may be larger than the memory of any device. Its addresses then go round and round in
/// this buffer.
public final class Region implements AutoCloseable {
  private final DriverDevice device;
  private final long bytes;
  private final cl_mem buffer;

  public Region(DriverDevice device, long bytes) {
    this.device = device;
    this.bytes = bytes;
    buffer = device.create(bytes);
    device.touch(buffer, 0, bytes);
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
