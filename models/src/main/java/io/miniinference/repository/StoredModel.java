package io.miniinference.repository;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A model of a repository with all its versions.
///
/// @param folder its own, with what is set for it; null for a single `NAME.onnx`
/// @param versions in the order of their numbers, one at least
public record StoredModel(String name, @Nullable Path folder, List<ModelFile> versions) {
  public StoredModel {
    versions = List.copyOf(versions);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("model '" + name + "' has no version");
    }
  }

  /// The version with the highest number.
  public ModelFile newest() {
    return versions.getLast();
  }

  /// A file beside the model: `NAME/FILE`, and for a single `FILE.onnx` the file `FILE.ENDING`.
  public Path beside(String file) {
    Path own = folder;
    if (own != null) {
      return own.resolve(file);
    }
    Path single = newest().path();
    return single.resolveSibling(Listing.stem(single) + file.substring(file.lastIndexOf('.')));
  }
}
