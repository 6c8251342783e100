package io.miniinference.bench.planner;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.Program;
import io.miniinference.repository.ModelFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many bytes plans take, beside the bounds. Nothing is timed: the figures are the same on
/// every machine.
public final class MemorySuite implements Suite {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String description() {
    return "bytes of memory plans beside their bounds";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(this, "bytes", setting);
    List<PlanSize> sizes = new ArrayList<>();
    for (ModelFile model : models(setting)) {
      setting.say("memory: %s", model.name());
      findings.attempt(model.name(), () -> sizes.addAll(sizes(model, setting)));
    }
    sizes.forEach(size -> add(size, findings));
    if (!sizes.isEmpty()) {
      findings.note(PlanSize.summary(sizes));
    }
    return Optional.of(findings.result(MeasuredDevice.java()));
  }

  /// The bundled models, and those of the folder that was named.
  private static List<ModelFile> models(Setting setting) {
    List<ModelFile> models = new ArrayList<>(ModelFiles.bundled(setting));
    if (setting.selection().repository() != null) {
      models.addAll(ModelFiles.of(setting));
    }
    List<String> wanted = setting.selection().models();
    return models.stream()
        .filter(model -> wanted.isEmpty() || wanted.contains(model.name()))
        .toList();
  }

  /// In either order in which the elements of activations may lie.
  private static List<PlanSize> sizes(ModelFile model, Setting setting) {
    Map<String, Target<?>> layouts = new LinkedHashMap<>();
    layouts.put("row-major", new JvmTarget());
    layouts.put("blocked", new CpuTarget());
    Graph graph = Programs.graph(model.path());
    List<PlanSize> sizes = new ArrayList<>();
    layouts.forEach((layout, target) -> {
      Program program = Lowering.lower(graph, target, List.of()).plan();
      for (int batch : setting.batches(List.of(1, 8))) {
        sizes.add(PlanSize.of(model.name(), layout, program, batch));
      }
    });
    return sizes;
  }

  private static void add(PlanSize size, Findings findings) {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("lower bound", size.lowerBoundBytes());
    figures.put("live at once", size.boundBytes());
    figures.put("planned", size.plannedBytes());
    figures.forEach((what, bytes) ->
        findings.add(
            size.model(),
            Parameters.of("batch", size.batch()).with("bytes", what),
            size.layouts(),
            Unit.BYTES,
            Spread.exact(bytes)));
  }
}
