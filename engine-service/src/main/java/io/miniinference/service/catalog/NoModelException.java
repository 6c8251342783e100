package io.miniinference.service.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// No model at all could be loaded, so that there is nothing to serve.
public final class NoModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofEmptyRepository;

  NoModelException(List<CatalogEntry> entries) {
    super(
        switch (entries.size()) {
          case 0 -> "The repository holds no model.";
          case 1 -> "The one model could not be loaded: " + why(entries.getFirst());
          default ->
              "None of %d models could be loaded: %s. The lines before say why."
                  .formatted(entries.size(), names(entries));
        });
    ofEmptyRepository = entries.isEmpty();
  }

  /// Whether there was nothing to load.
  public boolean isOfEmptyRepository() {
    return ofEmptyRepository;
  }

  private static String why(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Failed failed
        ? "'" + failed.name() + "': " + failed.problem()
        : entry.name();
  }

  private static String names(List<CatalogEntry> entries) {
    return entries.stream().map(CatalogEntry::name).collect(Collectors.joining(", "));
  }
}
