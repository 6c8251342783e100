package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import io.miniinference.service.config.ModelSettings;

/// A model that is ready to serve, under its name and version.
///
/// @param settings what is set for it, in files beside it or by properties
/// @param usage the requests that use it
public record ServedModel(
    String name, String version, Model model, ModelSettings settings, Usage usage) {

  /// Closes the model after its last request.
  void retire() {
    usage.retire();
    model.close();
  }
}
