package io.miniinference.testing.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Inputs that took too much of the heap or of time in a process whose classes are instrumented,
/// which takes its part of both: files in a folder, to be tried without.
///
/// @param folder which need not exist
record Suspects(Path folder) {
  private static final int MOST = 100;

  /// Keeps an input, unless there are very many.
  void keep(byte[] input) {
    try {
      Files.createDirectories(folder);
      if (all().size() < MOST) {
        Files.write(folder.resolve(Jazzer.name(input)), input);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The inputs that are kept.
  List<byte[]> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<byte[]> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        inputs.add(Files.readAllBytes(file));
      }
    }
    return inputs;
  }

  /// Drops what is kept.
  void clear() throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
