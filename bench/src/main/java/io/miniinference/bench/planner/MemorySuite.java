package io.miniinference.bench.planner;

import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.codegen.cpu.CpuGenerator;
import io.miniinference.codegen.jvm.JvmGenerator;
import io.miniinference.ir.Graph;
import io.miniinference.lower.CodeGenerator;
import io.miniinference.lower.Lowering;
import io.miniinference.plan.Program;
import io.miniinference.repository.ModelFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How many bytes plans take, beside the bounds and what other engines' rules make of the same
/// blocks. Nothing is timed: the figures are the same on every machine.
public final class MemorySuite implements Suite {
  private static final List<Integer> BATCHES = List.of(1, 8);

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String description() {
    return "bytes of memory plans beside their bounds and other engines' rules";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    List<PlanSize> sizes = models(setting).flatMap(model -> sizes(model, setting)).toList();
    return Optional.of(
        new SuiteResult(
            name(),
            description(),
            MeasuredDevice.java(),
            "bytes",
            sizes.stream().flatMap(MemorySuite::figures).toList(),
            List.of(),
            PlanSize.findings(sizes),
            List.of()));
  }

  /// The bundled models, and those of the folder that was named.
  private static Stream<ModelFile> models(Setting setting) {
    List<ModelFile> models = new ArrayList<>(ModelFiles.bundled(setting));
    if (setting.selection().repository() != null) {
      models.addAll(ModelFiles.of(setting));
    }
    List<String> wanted = setting.selection().models();
    return models.stream().filter(model -> wanted.isEmpty() || wanted.contains(model.name()));
  }

  private static Stream<PlanSize> sizes(ModelFile model, Setting setting) {
    setting.say("memory: %s", model.name());
    List<Integer> wanted = setting.selection().batches();
    List<Integer> batches = wanted.isEmpty() ? BATCHES : wanted;
    Graph graph = Programs.graph(model.path());
    return Stream.of(Layouts.values())
        .flatMap(layouts -> {
          Program program = Lowering.lower(graph, layouts.generator, List.of()).plan();
          return batches.stream()
              .map(n -> PlanSize.of(model.name(), layouts.toString(), program, n));
        });
  }

  /// In what order the elements of activations lie.
  private enum Layouts {
    ROW_MAJOR("row-major", new JvmGenerator()),
    BLOCKED("blocked", new CpuGenerator());

    private final String text;
    private final CodeGenerator generator;

    Layouts(String text, CodeGenerator generator) {
      this.text = text;
      this.generator = generator;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static Stream<Measurement> figures(PlanSize size) {
    return Stream.of(
        figure(size, "lower bound", size.lowerBoundBytes()),
        figure(size, "live at once", size.boundBytes()),
        figure(size, "planned", size.plannedBytes()),
        figure(size, "greedy by size (TensorFlow Lite)", size.greedyBytes()),
        figure(size, "online best fit (ONNX Runtime)", size.onlineBytes()));
  }

  private static Measurement figure(PlanSize size, String what, long bytes) {
    return new Measurement(
        size.model(),
        Parameters.of("batch", size.batch()).with("bytes", what),
        size.layouts(),
        Unit.BYTES,
        Spread.exact(bytes));
  }
}
