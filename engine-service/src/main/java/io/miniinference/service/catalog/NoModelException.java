package io.miniinference.service.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// No model at all could be loaded, so that there is nothing to serve.
public final class NoModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoModelException(List<CatalogEntry> entries) {
    super(
        entries.isEmpty()
            ? "The repository holds no model."
            : "None of "
                + entries.size()
                + " models could be loaded: "
                + entries.stream().map(CatalogEntry::name).collect(Collectors.joining(", "))
                + ". Why is told above.");
  }
}
