package io.miniinference.service.shapes;

import io.miniinference.runtime.Model;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;

/// Which inputs and outputs of a model clients see, and in which order: those of its file, or those
/// that its configuration has blocks for.
///
/// @param inputs their positions in the model
/// @param outputs their positions in the model
public record SeenTensors(List<Integer> inputs, List<Integer> outputs) {
  public SeenTensors {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /// Those of a model that agrees with its configuration.
  public static SeenTensors of(Model model, TensorBlocks blocks) {
    return new SeenTensors(
        positions(model.inputs(), blocks.inputs()), positions(model.outputs(), blocks.outputs()));
  }

  private static List<Integer> positions(List<TensorSpec> specs, List<TensorBlock> blocks) {
    if (blocks.isEmpty()) {
      return IntStream.range(0, specs.size()).boxed().toList();
    }
    List<String> names = specs.stream().map(TensorSpec::name).toList();
    return blocks.stream().map(block -> names.indexOf(block.name())).toList();
  }
}
