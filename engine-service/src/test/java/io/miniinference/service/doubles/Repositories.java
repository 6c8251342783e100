package io.miniinference.service.doubles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Model folders for a [HeapEngine], which looks at names only.
public final class Repositories {
  private Repositories() {}

  /// A temporary folder with an empty `NAME/VERSION/model.onnx` for each of `NAME/VERSION`.
  public static Path of(String... models) {
    try {
      Path folder = Files.createTempDirectory("models");
      for (String model : models) {
        Path version = Files.createDirectories(folder.resolve(model));
        Files.createFile(version.resolve("model.onnx"));
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
