package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.Draft;
import io.miniinference.ops.draft.LoweringFault;
import java.util.List;

/// The graph attributes of an ONNX node, for its rule.
public final class Bodies {
  private final OnnxNode node;
  private final NodeImporter around;

  /// @param around imports the graph that the node stands in
  Bodies(OnnxNode node, NodeImporter around) {
    this.node = node;
    this.around = around;
  }

  private OnnxGraph graph(String attribute) {
    OnnxGraph graph = node.bodies().get(attribute);
    if (graph == null) {
      throw LoweringFault.of("needs attribute " + Quote.of(attribute));
    }
    return graph;
  }

  /// A body with a draft of its own, its inputs still to be bound.
  public BodyImport open(String attribute) {
    return open(attribute, around.draft());
  }

  /// A body inside a draft that stands in this node's place.
  public BodyImport open(String attribute, Draft outer) {
    return new BodyImport(graph(attribute), around.inner(outer.inner(), around.names().inner()));
  }

  /// Whether the node has a body of that name.
  public boolean has(String attribute) {
    return node.bodies().containsKey(attribute);
  }

  /// A body without inputs as a part of the graph around it; its outputs.
  public List<Value> inline(String attribute) {
    return inline(attribute, List.of());
  }

  /// A body as a part of the graph around it, which gives its inputs; its outputs.
  public List<Value> inline(String attribute, List<Value> inputs) {
    var importer = around.inner(around.draft(), around.names().inner());
    var body = new BodyImport(graph(attribute), importer);
    if (body.inputs() != inputs.size()) {
      throw LoweringFault.of(
          "has a body %s of %d inputs, takes one of %d"
              .formatted(Quote.of(attribute), body.inputs(), inputs.size()));
    }
    for (int i = 0; i < inputs.size(); i++) {
      body.bind(i, inputs.get(i));
    }
    around.draft().seal();
    try {
      return body.inPlace();
    } catch (BodyFault fault) {
      throw fault.behind(body.ahead());
    }
  }
}
