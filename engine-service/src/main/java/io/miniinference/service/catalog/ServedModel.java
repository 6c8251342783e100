package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.settings.ModelFiles;
import io.miniinference.service.shapes.SeenTensors;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A model that is ready to serve, under its name and version.
///
/// @param file its name
/// @param set what is set for it, in files beside it or by properties
/// @param tensors those of its inputs and outputs that clients see
/// @param labels of classes, by output
/// @param usage the requests that use it
/// @param told what a client is told of a failure
public record ServedModel(
    String name,
    String version,
    Model model,
    String file,
    ModelFiles set,
    SeenTensors tensors,
    Map<String, List<String>> labels,
    Usage usage,
    UnaryOperator<RuntimeException> told) {
  private static final Logger LOG = LoggerFactory.getLogger(ServedModel.class);

  public ServedModel {
    labels = Map.copyOf(labels);
  }

  public ModelSettings settings() {
    return set.settings();
  }

  /// Its inputs in the order in which clients are told them.
  public List<TensorSpec> inputs() {
    return tensors.inputs().stream().map(model.inputs()::get).toList();
  }

  /// The outputs that clients get, in the order in which they get them.
  public List<TensorSpec> outputs() {
    return tensors.outputs().stream().map(model.outputs()::get).toList();
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
