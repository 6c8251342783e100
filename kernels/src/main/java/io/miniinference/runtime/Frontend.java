package io.miniinference.runtime;

import io.miniinference.interp.DataFailure;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.ops.ImportOptions;
import io.miniinference.ops.Importer;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.Pipeline;
import io.miniinference.plan.Program.NamedSize;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The stages from ONNX messages to a simplified graph.
///
/// @param graph what is lowered
/// @param naiveSizes inputs and results of the file's nodes, each in bytes of its own
/// @param specialisedOn inputs whose given values decided over the graph
record Frontend(Graph graph, List<NamedSize> naiveSizes, Set<String> specialisedOn) {

  static Frontend of(OnnxModel model, LoadOptions options, long poolBytes) {
    ImportOptions imports =
        ImportOptions.defaults()
            .withDims(options.dimensions())
            .withInputShapes(options.inputShapes())
            .withInputValues(options.inputValues())
            .withMaxFoldedBytes(poolBytes);
    Importer.Imported result = Importer.importWithValues(model, imports);
    Graph imported = result.graph();
    Graph graph =
        Pipeline.standard(evaluator(poolBytes), poolBytes, FusionOptions.standard())
            .apply(imported);
    return new Frontend(graph, naive(model, imported), result.specialisedOn());
  }

  private static Evaluator evaluator(long limitBytes) {
    return (node, inputs) -> {
      try {
        return Optional.of(Interpreter.evaluate(node, inputs, limitBytes));
      } catch (DataFailure e) {
        return Optional.empty();
      }
    };
  }

  private static List<NamedSize> naive(OnnxModel model, Graph graph) {
    List<NamedSize> sizes = new ArrayList<>();
    graph.inputs().forEach(input -> sizes.add(size(input)));
    addResults(graph, results(model.graph()), sizes);
    return sizes;
  }

  /* What the file calls the results of its nodes, those in bodies included. */
  private static Set<String> results(GraphProto graph) {
    Set<String> results = new HashSet<>();
    for (NodeProto node : graph.getNodeList()) {
      results.addAll(node.getOutputList());
      node.getAttributeList().forEach(a -> results.addAll(results(a.getG())));
    }
    return results;
  }

  private static void addResults(Graph graph, Set<String> results, List<NamedSize> sizes) {
    for (Node node : graph.nodes()) {
      node.outputs().stream()
          .filter(v -> results.contains(v.name()))
          .forEach(v -> sizes.add(size(v)));
      if (node.op() instanceof Op.Control control) {
        control.bodies().forEach(body -> addResults(body, results, sizes));
      }
    }
  }

  private static NamedSize size(Value value) {
    return new NamedSize(
        value.name(), value.type().elements().times(value.type().element().bytes()));
  }
}
