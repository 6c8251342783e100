package io.miniinference.onnx;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An operator that a model defines itself, by a list of nodes ([IR:
/// Functions](https://onnx.ai/onnx/repo-docs/IR.html#functions)).
///
/// @param attributes names of the attributes that have no default
/// @param defaults the attributes that have one
/// @param opsets operator set versions that the nodes are written against, by domain; the versions
///   of the model stand in for domains that the function does not import
public record OnnxFunction(
    Key key,
    List<String> inputs,
    List<String> outputs,
    Set<String> attributes,
    Map<String, AttributeProto> defaults,
    List<NodeProto> nodes,
    Map<String, Long> opsets) {

  /// What a node names to call a function; the default domain is "".
  public record Key(String domain, String name, String overload) {
    @Override
    public String toString() {
      String suffix = overload.isEmpty() ? "" : ":" + overload;
      return Quote.of((domain.isEmpty() ? "" : domain + ".") + name + suffix);
    }
  }

  public OnnxFunction {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    attributes = Collections.unmodifiableSet(new LinkedHashSet<>(attributes));
    defaults = Ordered.copy(defaults);
    nodes = List.copyOf(nodes);
    opsets = Ordered.copy(opsets);
  }
}
