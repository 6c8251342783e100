package io.miniinference.service.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// No model at all could be loaded, so that there is nothing to serve.
public final class NoModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofNothing;

  /// @param noneNamed whether none was to be loaded
  NoModelException(List<CatalogEntry> entries, boolean noneNamed) {
    super(
        switch (entries.size()) {
          case 0 ->
              noneNamed
                  ? "engine.models.names is none, and nothing loads a model later: that takes"
                      + " engine.repository.token, since engine.repository.poll looks at named"
                      + " models alone."
                  : "The repository holds no model.";
          case 1 -> "The one model could not be loaded: " + why(entries.getFirst());
          default ->
              "None of %d models could be loaded: %s. The lines before say why."
                  .formatted(entries.size(), names(entries));
        });
    ofNothing = entries.isEmpty();
  }

  /// Whether there was nothing to load.
  public boolean isOfNothing() {
    return ofNothing;
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
