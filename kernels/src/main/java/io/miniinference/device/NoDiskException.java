package io.miniinference.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A program cannot be built since the disk of the compiler's folder is full. The device is as it
/// was, and the same build goes on where there is room again.
public final class NoDiskException extends DeviceException {
  private static final long serialVersionUID = 1L;

  private NoDiskException(String message) {
    super(message);
  }

  /// Looks for room before a compiler does. PoCL says less, and keeps a file open whenever it finds
  /// none; LLVM in it ends the process where room ends while it writes.
  ///
  /// @param bytes that there must be
  /// @throws NoDiskException if there are fewer
  public static void check(Path folder, long bytes) {
    long room = room(folder);
    if (room < bytes) {
      throw new NoDiskException(
          "the disk of the kernels' cache has room for %,d bytes, and a build takes up to %,d: make room there"
              .formatted(room, bytes));
    }
  }

  /* Of a folder that is not there yet, which a compiler makes, its parent tells. Where no folder
  does, the build goes on: the compiler says what keeps it from writing. */
  private static long room(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      Path parent = folder.toAbsolutePath().getParent();
      return parent == null ? Long.MAX_VALUE : room(parent);
    }
  }
}
