package io.miniinference.device.driver;

import java.lang.foreign.MemorySegment;

/// The one pool buffer of a device.
public interface DevicePool extends AutoCloseable {

  /// Copies host bytes into the pool, blocking.
  void upload(long offsetBytes, MemorySegment source);

  /// Copies pool bytes to the host, blocking.
  void download(long offsetBytes, MemorySegment target);

  /// Gives the memory back to the driver.
  @Override
  void close();
}
