package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import org.jspecify.annotations.Nullable;

/// What is known of one version of a model that the service was asked to serve.
public sealed interface CatalogEntry {

  String name();

  /// A number; empty if the repository has none.
  String version();

  /// Waits to be loaded, or is being loaded.
  record Loading(String name, String version) implements CatalogEntry {}

  /// Loaded and warm.
  ///
  /// @param candidate that it was loaded from
  record Ready(ServedModel served, LoadFigures figures, Candidate candidate)
      implements CatalogEntry {
    @Override
    public String name() {
      return served.name();
    }

    @Override
    public String version() {
      return served.version();
    }

    public Model model() {
      return served.model();
    }
  }

  /// Not loaded, and why.
  record Failed(String name, String version, String problem) implements CatalogEntry {}

  /// Served, until the device was lost: it is loaded again once that is open.
  record Recovering(String name, String version) implements CatalogEntry {}

  /// Waits for its last requests, and takes no others.
  record Unloading(String name, String version) implements CatalogEntry {}

  /// Given back over the API, or gone from the repository.
  record Unloaded(String name, String version) implements CatalogEntry {}

  /// The model if it is ready.
  default @Nullable Model readyModel() {
    return this instanceof Ready ready ? ready.model() : null;
  }

  /// Which version speaks for its model where a request names none: one that serves before one that
  /// may, and that before one that is gone.
  default int rank() {
    return switch (this) {
      case Ready _ -> 3;
      case Loading _, Recovering _, Failed _ -> 2;
      case Unloading _ -> 1;
      case Unloaded _ -> 0;
    };
  }
}
