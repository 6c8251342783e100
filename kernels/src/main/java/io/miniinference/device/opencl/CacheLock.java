package io.miniinference.device.opencl;

import io.miniinference.device.DeviceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Keeps other processes from compiling into the same cache: PoCL 3.1 aborts when it meets a file
/// there that another process has only half written. Where no file can be locked there is no such
/// cache either, or it is on a file system without locks, and nobody is kept from anything.
///
/// The caller holds [OpenClProgram#COMPILER].
///
/// @param channel to the locked file, or null
record CacheLock(@Nullable FileChannel channel) implements AutoCloseable {
  private static final String FILE = "compiling.lock";

  /// Parks until no other process compiles into `directory`.
  static CacheLock take(Path directory) {
    try {
      return take(
          FileChannel.open(
              directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    } catch (IOException e) {
      return new CacheLock(null);
    }
  }

  /// The lock goes with its channel.
  private static CacheLock take(FileChannel channel) throws IOException {
    try {
      channel.lock();
      return new CacheLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new DeviceException("the lock on the cache of kernels cannot be given back: " + e, e);
    }
  }
}
