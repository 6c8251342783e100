package io.miniinference.service.catalog;

import io.miniinference.repository.ModelFile;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.settings.ModelFiles;
import java.util.List;
import java.util.Map;

/// A version that is to be served.
///
/// @param set by the files beside the model and by properties
/// @param labels of classes, by output
/// @param stamp of its files before they were read
public record Candidate(
    ModelFile file, ModelFiles set, Map<String, List<String>> labels, FileStamp stamp) {
  public Candidate {
    labels = Map.copyOf(labels);
  }

  ModelSettings settings() {
    return set.settings();
  }

  String name() {
    return file.name();
  }

  String version() {
    return file.version();
  }

  String fileName() {
    return String.valueOf(file.path().getFileName());
  }

  /// Warns of what is set for its model in vain, for all its versions.
  void warn() {
    set.warn(name());
  }

  /// Whether an entry is what a load of this would make again.
  boolean isServedBy(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready ready && ready.candidate().equals(this);
  }
}
