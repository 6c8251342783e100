package io.miniinference.runtime.compile;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Value;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.Importer;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.pipeline.Pipeline;
import io.miniinference.plan.Program.NamedSize;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.signature.Codes;
import io.miniinference.signature.Cuts;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The stages from ONNX messages to a simplified graph.
///
/// @param graph what is lowered
/// @param cuts which of its outputs are cut
/// @param codes which inputs and outputs are codes
/// @param naiveSizes inputs and results of the file's nodes, before anything was simplified
/// @param specialisedOn inputs whose given values decided over the graph
public record Frontend(
    Graph graph, Cuts cuts, Codes codes, List<NamedSize> naiveSizes, Set<String> specialisedOn) {

  public static Frontend of(
      OnnxModel model,
      LoadOptions options,
      FusionTarget target,
      long poolBytes,
      StageObserver observer,
      OtherShapes others) {
    ImportOptions imports =
        ImportOptions.defaults()
            .withDims(options.dimensions())
            .withInputShapes(options.inputShapes())
            .withInputValues(options.inputValues())
            .withMaxFoldedBytes(poolBytes)
            .withConstants(others.constants());
    Importer.Imported result = Importer.importWithValues(model, imports);
    observer.graph("import", result.graph());
    Graph graph =
        pipeline(others, poolBytes, FusionOptions.of(target))
            .apply(result.graph(), observer::graph);
    return new Frontend(
        graph, result.cuts(), result.codes(), naive(result), result.specialisedOn());
  }

  private static Pipeline pipeline(OtherShapes others, long poolBytes, FusionOptions fusion) {
    Evaluator evaluator = others.evaluator(poolBytes);
    return others.areMany()
        ? Pipeline.ofManyShapes(evaluator, poolBytes, fusion)
        : Pipeline.standard(evaluator, poolBytes, fusion);
  }

  private static List<NamedSize> naive(Importer.Imported imported) {
    return Stream.concat(imported.graph().inputs().stream(), imported.results().stream())
        .map(Frontend::size)
        .toList();
  }

  private static NamedSize size(Value value) {
    return new NamedSize(
        value.name(), value.type().elements().times(value.type().element().bytes()));
  }
}
