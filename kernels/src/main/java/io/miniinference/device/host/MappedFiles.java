package io.miniinference.device.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The files that this process has mapped, loaded libraries among them.
public final class MappedFiles {
  private static final Path MAPS = Path.of("/proc/self/maps");

  private MappedFiles() {}

  /// Whether the system tells.
  public static boolean areKnown() {
    return Files.isReadable(MAPS);
  }

  /// Their paths, as often as each is mapped; none where the system does not tell. What of a path
  /// is no UTF-8 is replaced, so that no path hides the others.
  public static List<String> paths() {
    if (!areKnown()) {
      return List.of();
    }
    try {
      return new String(Files.readAllBytes(MAPS), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.indexOf('/') >= 0)
          .map(line -> line.substring(line.indexOf('/')))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
