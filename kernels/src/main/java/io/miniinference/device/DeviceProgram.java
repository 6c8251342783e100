package io.miniinference.device;

/// A built program.
public interface DeviceProgram extends AutoCloseable {

  /// Whether it came from the cache on disk.
  boolean cached();

  /// Number of kernels in it.
  int kernels();

  @Override
  void close();
}
