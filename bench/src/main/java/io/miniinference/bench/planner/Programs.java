package io.miniinference.bench.planner;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.Importer;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.Pipeline;
import io.miniinference.plan.Program;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.verify.VerifiedPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What is planned: models as they are lowered.
final class Programs {
  private static final long FOLDED_BYTES = 1 << 28;

  private Programs() {}

  /// The model as it is lowered for OpenCL CPUs.
  static Program ofModel(Path file) {
    return Lowering.lower(graph(file), new CpuTarget(), List.of()).plan();
  }

  /// The model, simplified.
  static Graph graph(Path file) {
    var model = OnnxReader.read(file, ReadLimits.defaults());
    Graph imported =
        Importer.importModel(model, ImportOptions.defaults().withMaxFoldedBytes(FOLDED_BYTES));
    return Pipeline.standard(
            (node, inputs) -> Optional.of(Interpreter.results(node, inputs, FOLDED_BYTES)),
            FOLDED_BYTES,
            FusionOptions.of(new CpuTarget()))
        .apply(imported);
  }

  /// The plan, if it stood its proof.
  static MemoryPlan sound(VerifiedPlan plan) {
    if (plan.fallback().isPresent()) {
      throw new IllegalStateException("an unsound plan: " + plan.fallback().get());
    }
    return plan.plan();
  }
}
