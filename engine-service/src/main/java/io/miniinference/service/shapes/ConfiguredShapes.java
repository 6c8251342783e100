package io.miniinference.service.shapes;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.runtime.Model;
import java.util.Map;

/// What a configuration makes of the shapes of a model's file.
///
/// @param sizes of open dimensions by their symbols, which it fixes
/// @param inputs those that clients see in another shape than the model, by name
/// @param outputs those that clients see in another shape than the model, by name
public record ConfiguredShapes(
    Map<String, Long> sizes, Map<String, Reshape> inputs, Map<String, Reshape> outputs) {
  public ConfiguredShapes {
    sizes = Map.copyOf(sizes);
    inputs = Map.copyOf(inputs);
    outputs = Map.copyOf(outputs);
  }

  /// Those of the file.
  public static ConfiguredShapes none() {
    return new ConfiguredShapes(Map.of(), Map.of(), Map.of());
  }

  /// Holds a configuration against a file.
  ///
  /// @throws io.miniinference.service.config.SettingsException if they do not agree, in Triton's
  ///   words
  public static ConfiguredShapes of(OnnxModel model, TensorBlocks blocks) {
    DeclaredTypes file = DeclaredTypes.of(model, Map.of());
    var inputs = new Agreement("input", file.inputs(), blocks.batched());
    var outputs = new Agreement("output", file.outputs(), blocks.batched());
    blocks.outputs().forEach(outputs::check);
    for (TensorBlock block : blocks.inputs()) {
      inputs.check(block);
      inputs.fix(block, file.batch().orElse(""));
    }
    return new ConfiguredShapes(inputs.sizes(), inputs.reshapes(), outputs.reshapes());
  }

  /// A loaded model as clients see it.
  public Model asClientsSee(Model model) {
    return inputs.isEmpty() && outputs.isEmpty()
        ? model
        : new ReshapedModel(model, inputs, outputs);
  }
}
