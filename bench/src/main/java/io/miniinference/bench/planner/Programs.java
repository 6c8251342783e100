package io.miniinference.bench.planner;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.ir.Graph;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.plan.Program;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.compile.Frontend;
import io.miniinference.runtime.compile.OtherShapes;
import io.miniinference.runtime.compile.StageObserver;
import java.nio.file.Path;
import java.util.List;

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
    return Frontend.of(
            OnnxReader.read(file, ReadLimits.defaults()),
            LoadOptions.defaults(),
            new CpuTarget(),
            FOLDED_BYTES,
            StageObserver.NONE,
            OtherShapes.none())
        .graph();
  }

  /// The plan, if it stood its proof.
  static MemoryPlan sound(VerifiedPlan plan) {
    if (plan.fallback().isPresent()) {
      throw new IllegalStateException("an unsound plan: " + plan.fallback().get());
    }
    return plan.plan();
  }
}
