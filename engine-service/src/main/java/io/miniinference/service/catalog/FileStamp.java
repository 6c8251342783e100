package io.miniinference.service.catalog;

import io.miniinference.repository.ModelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What tells whether the files of a version have changed: names, sizes and times of all files that
/// lie beside its `model.onnx` (external weights among them), or of the one file that it is.
///
/// @param text equal for equal files
record FileStamp(String text) {
  /// Files beyond these do not count.
  private static final int MOST_FILES = 10_000;

  static FileStamp of(ModelFile model) {
    try {
      var stamps = new TreeMap<String, String>();
      for (Path file : files(model.path())) {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isRegularFile()) {
          stamps.put(
              file.toString(), attributes.size() + "@" + attributes.lastModifiedTime().toInstant());
        }
      }
      return new FileStamp(stamps.toString());
    } catch (IOException e) {
      return new FileStamp("unreadable: " + e);
    }
  }

  private static List<Path> files(Path model) throws IOException {
    if (!model.endsWith("model.onnx")) {
      return List.of(model);
    }
    try (Stream<Path> all = Files.list(model.toAbsolutePath().getParent())) {
      return all.limit(MOST_FILES).toList();
    }
  }
}
