package io.miniinference.onnx;

import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.List;

/// A graph, or the body of a control-flow node, whose nodes are operators only.
///
/// @param values declared types of values between inputs and outputs
public record OnnxGraph(
    String name,
    List<ValueInfoProto> inputs,
    List<ValueInfoProto> outputs,
    List<TensorProto> initializers,
    List<SparseTensorProto> sparseInitializers,
    List<ValueInfoProto> values,
    List<OnnxNode> nodes) {

  public OnnxGraph {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    initializers = List.copyOf(initializers);
    sparseInitializers = List.copyOf(sparseInitializers);
    values = List.copyOf(values);
    nodes = List.copyOf(nodes);
  }
}
