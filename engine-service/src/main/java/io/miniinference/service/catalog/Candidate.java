package io.miniinference.service.catalog;

import io.miniinference.repository.ModelFile;
import io.miniinference.service.config.ModelSettings;

/// A version that is to be served.
///
/// @param stamp of its files before they were read
record Candidate(ModelFile file, ModelSettings settings, FileStamp stamp) {
  static Candidate of(ModelFile file, ModelSettings settings) {
    return new Candidate(file, settings, FileStamp.of(file));
  }

  String name() {
    return file.name();
  }

  String version() {
    return file.version();
  }

  /// Whether an entry is what a load of this would make again.
  boolean isServedBy(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready ready
        && ready.stamp().equals(stamp)
        && ready.served().settings().equals(settings);
  }
}
