package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import org.jspecify.annotations.Nullable;

/// What is known of one model that the service was asked to serve.
public sealed interface CatalogEntry {

  String name();

  String version();

  /// Waits to be loaded, or is being loaded.
  record Loading(String name, String version) implements CatalogEntry {}

  /// Loaded and warm.
  record Ready(String name, String version, Model model, LoadFigures figures)
      implements CatalogEntry {
    ServedModel served() {
      return new ServedModel(name, version, model);
    }
  }

  /// Not loaded, and why.
  record Failed(String name, String version, String problem) implements CatalogEntry {}

  /// The model if it is ready.
  default @Nullable Model readyModel() {
    return switch (this) {
      case Ready ready -> ready.model();
      case Loading _, Failed _ -> null;
    };
  }
}
