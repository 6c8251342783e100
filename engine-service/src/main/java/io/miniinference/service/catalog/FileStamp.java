package io.miniinference.service.catalog;

import io.miniinference.repository.ModelFile;
import io.miniinference.repository.StoredModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What tells whether the files of a version have changed: names, sizes and times of all files in
/// its folder (external weights among them), or of the one file that it is.
///
/// @param text equal for equal files
public record FileStamp(String text) {
  /// Files beyond these do not count.
  private static final int MOST_FILES = 10_000;

  static FileStamp of(StoredModel model, ModelFile version) {
    Path file = version.path();
    return of(() -> model.folder() == null ? List.of(file) : list(file.resolveSibling("")));
  }

  /// Of what lies in a model's own folder, or of the settings of a single file.
  static FileStamp beside(StoredModel model) {
    Path folder = model.folder();
    return of(() -> folder == null ? settings(model) : list(folder));
  }

  private static List<Path> settings(StoredModel model) {
    Path settings = model.beside("model.yaml");
    return Files.exists(settings) ? List.of(settings) : List.of();
  }

  /// Lists files.
  private interface Listing {
    List<Path> files() throws IOException;
  }

  private static FileStamp of(Listing listing) {
    try {
      var stamps = new TreeMap<String, String>();
      for (Path file : listing.files()) {
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

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.limit(MOST_FILES).toList();
    }
  }
}
