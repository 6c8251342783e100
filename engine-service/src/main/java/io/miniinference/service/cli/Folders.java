package io.miniinference.service.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/// Folders named on the command line.
final class Folders {
  private Folders() {}

  /// @throws IllegalArgumentException if there is no such folder
  static Path existing(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException("there is no folder '" + folder + "'");
    }
    return folder;
  }
}
