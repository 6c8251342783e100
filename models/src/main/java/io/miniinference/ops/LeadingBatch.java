package io.miniinference.ops;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The batch of a model of which it is known, from elsewhere than its file, that axis 0 of each
/// input is the batch. Exporters that give each open dimension a name of its own, or none, say no
/// such thing.
public final class LeadingBatch {
  private static final String USUAL_NAME = "batch";

  private final Set<String> inputs;
  private final String name;

  private LeadingBatch(Set<String> inputs, String name) {
    this.inputs = inputs;
    this.name = name;
  }

  /// The model with one name for what is open on axis 0 of inputs and outputs. A model of which an
  /// input has a size there, or no shape, stays as it is.
  public static OnnxModel named(OnnxModel model) {
    List<ValueInfoProto> requested = model.requested();
    if (!requested.stream().allMatch(LeadingBatch::leadsOpen)) {
      return model;
    }
    return new LeadingBatch(
            requested.stream().map(ValueInfoProto::getName).collect(Collectors.toSet()),
            DeclaredTypes.of(model, Map.of()).batch().orElse(USUAL_NAME))
        .in(model);
  }

  private static boolean leadsOpen(ValueInfoProto tensor) {
    InputSymbols symbols = InputSymbols.of(tensor);
    return !symbols.dims().isEmpty() && symbols.size(0, Map.of()).isEmpty();
  }

  private OnnxModel in(OnnxModel model) {
    GraphProto.Builder graph = model.graph().toBuilder();
    graph.getInputBuilderList().stream()
        .filter(input -> inputs.contains(input.getName()))
        .forEach(this::name);
    graph.getOutputBuilderList().stream()
        .filter(output -> leadsOpen(output.build()))
        .forEach(this::name);
    return model.withGraph(graph.build());
  }

  private void name(ValueInfoProto.Builder tensor) {
    tensor
        .getTypeBuilder()
        .getTensorTypeBuilder()
        .getShapeBuilder()
        .setDim(0, Dimension.newBuilder().setDimParam(name));
  }
}
