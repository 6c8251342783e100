package io.miniinference.service.catalog;

import io.miniinference.repository.ModelFile;
import io.miniinference.service.config.ModelSettings;
import java.util.List;
import java.util.Map;

/// A version that is to be served.
///
/// @param labels of classes, by output
/// @param stamp of its files before they were read
public record Candidate(
    ModelFile file, ModelSettings settings, Map<String, List<String>> labels, FileStamp stamp) {
  public Candidate {
    labels = Map.copyOf(labels);
  }

  String name() {
    return file.name();
  }

  String version() {
    return file.version();
  }

  /// Whether an entry is what a load of this would make again.
  boolean isServedBy(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready ready && ready.candidate().equals(this);
  }
}
