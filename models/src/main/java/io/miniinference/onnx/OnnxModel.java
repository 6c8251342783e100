package io.miniinference.onnx;

import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An ONNX file as it was written, its header checked.
///
/// @param name the model as a user knows it, for messages
/// @param folder where external data lie; null for a model that did not come from a file
/// @param irVersion version of the file format
/// @param opsets imported operator set versions by domain, the default domain as ""
/// @param producer name and version of the tool that wrote the file, or ""
/// @param graph the graph, function calls not yet expanded
/// @param functions the functions local to the file
/// @param metadata the writer's own notes
/// @param warnings what is unusual and was accepted
public record OnnxModel(
    String name,
    @Nullable Path folder,
    long irVersion,
    Map<String, Long> opsets,
    String producer,
    GraphProto graph,
    List<OnnxFunction> functions,
    Map<String, String> metadata,
    List<String> warnings) {

  public OnnxModel {
    opsets = Ordered.copy(opsets);
    functions = List.copyOf(functions);
    metadata = Ordered.copy(metadata);
    warnings = List.copyOf(warnings);
  }

  /// Version of the default operator set, or 0 if the model uses none of its operators.
  public long opset() {
    return opsets.getOrDefault("", 0L);
  }

  /// What a request gives: the inputs that name no initializer.
  public List<ValueInfoProto> requested() {
    Set<String> initialized = initialized();
    return graph.getInputList().stream()
        .filter(input -> !initialized.contains(input.getName()))
        .toList();
  }

  /// The names of the graph's initializers, sparse ones included.
  public Set<String> initialized() {
    Set<String> names = new HashSet<>();
    graph.getInitializerList().forEach(tensor -> names.add(tensor.getName()));
    graph.getSparseInitializerList().forEach(tensor -> names.add(tensor.getValues().getName()));
    return names;
  }

  /// What a request gets. Exporters list an output twice where a network gives a value twice;
  /// requests ask by name, so that it is one.
  public List<ValueInfoProto> answered() {
    Map<String, ValueInfoProto> outputs = new LinkedHashMap<>();
    graph.getOutputList().forEach(output -> outputs.putIfAbsent(output.getName(), output));
    return List.copyOf(outputs.values());
  }

  /// The same file with another graph.
  public OnnxModel withGraph(GraphProto other) {
    return new OnnxModel(
        name, folder, irVersion, opsets, producer, other, functions, metadata, warnings);
  }

  /// An empty list of problems under this model's name.
  public Problems problems() {
    var problems = new Problems(name);
    problems.opset(opset());
    return problems;
  }
}
