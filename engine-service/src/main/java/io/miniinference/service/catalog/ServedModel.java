package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import io.miniinference.service.config.ModelSettings;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A model that is ready to serve, under its name and version.
///
/// @param file its name
/// @param settings what is set for it, in files beside it or by properties
/// @param labels of classes, by output
/// @param usage the requests that use it
/// @param told what a client is told of a failure
public record ServedModel(
    String name,
    String version,
    Model model,
    String file,
    ModelSettings settings,
    Map<String, List<String>> labels,
    Usage usage,
    UnaryOperator<RuntimeException> told) {
  private static final Logger LOG = LoggerFactory.getLogger(ServedModel.class);

  public ServedModel {
    labels = Map.copyOf(labels);
  }

  /// The labels of an output's classes, none if there are none.
  public List<String> labelsOf(String output) {
    return labels.getOrDefault(output, List.of());
  }

  /// Closes the model after its last request.
  void retire() {
    usage.retire();
    try {
      model.close();
    } catch (RuntimeException e) {
      LOG.error("model '{}' version {} was closed, and not in good order", name, version, e);
    }
  }
}
