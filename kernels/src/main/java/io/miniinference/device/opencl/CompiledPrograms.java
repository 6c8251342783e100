package io.miniinference.device.opencl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Tells what PoCL compiled into its cache after a moment, the mark, from what lay there before.
/// Each program is a folder that PoCL makes when it begins to compile it, and changes with each
/// kernel that it compiles, but not when it takes one from there.
///
/// @param mark by the clock of the cache's file system, which the files are compared with
record CompiledPrograms(Path cache, FileTime mark) {
  private static final String FILE = "compiling.mark";
  private static final FileTime NEVER = FileTime.from(Long.MAX_VALUE, TimeUnit.DAYS);

  /// The mark of now. Where none can be set nothing counts as compiled after it.
  static CompiledPrograms mark(Path cache) {
    try {
      Path file = Files.writeString(cache.resolve(FILE), "");
      return new CompiledPrograms(cache, Files.getLastModifiedTime(file));
    } catch (IOException e) {
      return new CompiledPrograms(cache, NEVER);
    }
  }

  /// Whether any program was compiled since.
  boolean isAnyNewer() {
    return folders(cache).stream()
        .flatMap(folder -> folders(folder).stream())
        .anyMatch(this::isOlderThan);
  }

  /// Whether a file or folder was changed since; not if it is gone.
  boolean isOlderThan(Path file) {
    try {
      return Files.getLastModifiedTime(file).compareTo(mark) > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Path> folders(Path of) {
    try (Stream<Path> all = Files.list(of)) {
      return all.filter(Files::isDirectory).toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
