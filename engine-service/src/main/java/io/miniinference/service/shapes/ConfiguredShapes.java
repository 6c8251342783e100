package io.miniinference.service.shapes;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.runtime.Model;
import io.miniinference.service.config.SettingsException;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What a configuration makes of the shapes of a model.
///
/// @param sizes of open dimensions by their symbols, which it fixes
/// @param inputs those that clients see in another shape than the model, by name
/// @param blocks what the configuration says
public record ConfiguredShapes(
    Map<String, Long> sizes, Map<String, Reshape> inputs, TensorBlocks blocks) {
  public ConfiguredShapes {
    sizes = Map.copyOf(sizes);
    inputs = Map.copyOf(inputs);
  }

  /// Those of the file.
  public static ConfiguredShapes none() {
    return new ConfiguredShapes(Map.of(), Map.of(), TensorBlocks.none());
  }

  /// Holds a configuration against what a file says of its inputs.
  ///
  /// @throws io.miniinference.service.config.SettingsException if they do not agree, in Triton's
  ///   words
  public static ConfiguredShapes of(OnnxModel model, TensorBlocks blocks) {
    DeclaredTypes file = DeclaredTypes.of(model, Map.of());
    Agreement inputs = Agreement.ofInputs(file.inputs(), blocks.batched());
    for (TensorBlock block : blocks.inputs()) {
      inputs.checkShape(block);
      inputs.fix(block, file.batch().orElse(""));
    }
    requireAll(file.inputs(), blocks.inputs());
    return new ConfiguredShapes(inputs.sizes(), inputs.reshapes(), blocks);
  }

  /* A model cannot do without an input, as it can without an output. */
  private static void requireAll(List<TensorSpec> inputs, List<TensorBlock> blocks) {
    if (!blocks.isEmpty() && blocks.size() < inputs.size()) {
      throw new SettingsException(
          "configuration expects %d inputs, model provides %d: give blocks for all of %s, or for none"
              .formatted(
                  blocks.size(),
                  inputs.size(),
                  inputs.stream().map(TensorSpec::name).collect(Collectors.joining(", "))));
    }
  }

  /// A loaded model as clients see it. Files may say little of types and outputs, which is why
  /// these are held against the model.
  ///
  /// @throws io.miniinference.service.config.SettingsException if they do not agree
  public Model asClientsSee(Model model) {
    Agreement types = Agreement.ofInputs(model.inputs(), blocks.batched());
    blocks.inputs().forEach(types::checkType);
    Agreement outputs = Agreement.ofOutputs(model.outputs(), blocks.batched());
    blocks.outputs().forEach(outputs::checkType);
    blocks.outputs().forEach(outputs::checkShape);
    return inputs.isEmpty() && outputs.reshapes().isEmpty()
        ? model
        : new ReshapedModel(model, inputs, outputs.reshapes());
  }
}
