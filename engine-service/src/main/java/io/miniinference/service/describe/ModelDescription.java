package io.miniinference.service.describe;

import io.miniinference.service.catalog.ServedModel;
import io.miniinference.signature.TensorSpec;
import java.util.List;

/// A model: its versions, inputs and outputs.
public record ModelDescription(
    String name,
    List<String> versions,
    String platform,
    List<TensorDescription> inputs,
    List<TensorDescription> outputs) {
  /// That of ONNX models, in metadata and configurations.
  static final String PLATFORM = "onnxruntime_onnx";

  public ModelDescription {
    versions = List.copyOf(versions);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /// An input or output.
  ///
  /// @param shape −1 for the batch, and for what else is open
  public record TensorDescription(String name, String datatype, long[] shape) {
    static List<TensorDescription> of(List<TensorSpec> specs) {
      return specs.stream()
          .map(s -> new TensorDescription(s.name(), s.v2Name(), s.declaredShape()))
          .toList();
    }
  }

  /// The description of one version.
  ///
  /// @param versions of its model that are served
  public static ModelDescription of(ServedModel served, List<String> versions) {
    return new ModelDescription(
        served.name(),
        versions,
        PLATFORM,
        TensorDescription.of(served.inputs()),
        TensorDescription.of(served.outputs()));
  }
}
