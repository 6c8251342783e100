package io.miniinference.runtime.compile;

import io.miniinference.cost.StepCost;
import io.miniinference.device.DeviceInfo;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.text.GraphText;
import io.miniinference.listing.LaunchListing;
import io.miniinference.listing.PlanListing;
import io.miniinference.listing.ProgramListing;
import io.miniinference.listing.ScheduleListing;
import io.miniinference.listing.StepListing;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import io.miniinference.lower.Targets;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pass.OpenAxes;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A model's kernels, and what each stage before them made, as text. It needs no device: each
/// writer's text can be read on any machine.
public final class ModelListing {
  private static final int MOST_NAMES = 40;

  private final Target<?> target;
  private final Compiled compiled;
  private final String stages;

  private ModelListing(Target<?> target, Compiled compiled, String stages) {
    this.target = target;
    this.compiled = compiled;
    this.stages = stages;
  }

  /// What writes kernels.
  public enum Writer {
    CPU,
    GPU,
    /// Kernels in Java, which have no text.
    JVM;

    private Target<?> target(Precision precision) {
      return Targets.named(name().toLowerCase(Locale.ROOT), precision);
    }
  }

  /// Compiles a model as an engine with a pool of `poolBytes` does, in `f32`.
  public static ModelListing of(
      OnnxModel model, LoadOptions options, Writer writer, long poolBytes) {
    return of(model, options, writer, Precision.F32, poolBytes);
  }

  /// Compiles a model as an engine with a pool of `poolBytes` does.
  ///
  /// @param precision how exact products must be
  public static ModelListing of(
      OnnxModel model, LoadOptions options, Writer writer, Precision precision, long poolBytes) {
    return of(model, options, writer.target(precision), poolBytes);
  }

  /// Compiles a model as an engine on a device with a pool of `poolBytes` does.
  ///
  /// @param precision how exact products must be
  public static ModelListing of(
      OnnxModel model,
      LoadOptions options,
      DeviceInfo device,
      Precision precision,
      long poolBytes) {
    return of(model, options, Targets.of(device, Targets.AUTO, precision), poolBytes);
  }

  private static ModelListing of(
      OnnxModel model, LoadOptions options, Target<?> target, long poolBytes) {
    EngineContext context =
        EngineContext.of(EngineOptions.defaults(Path.of("")).withPool(poolBytes));
    Stages stages = new Stages();
    boolean hasOneShape = options.dimensions().isEmpty() && options.inputShapes().isEmpty();
    OtherShapes others = hasOneShape ? OtherShapes.none() : OtherShapes.many();
    Compiled compiled =
        new Compiler(target, poolBytes, context, others)
            .compile(
                model,
                options,
                stages,
                OpenAxes.NONE,
                (program, _) -> target.generate(program),
                _ -> true);
    return new ModelListing(target, compiled, stages.text.toString());
  }

  /// All kernels, as they are built, behind comments that tell which step launches which.
  public String kernels() {
    return listing(compiled.lowered(), compiled.generated());
  }

  /// The kernels of the steps of one name or number.
  ///
  /// @throws IllegalArgumentException if there is no such step, naming those that there are
  public String kernels(String step) {
    LoweredProgram all = compiled.lowered();
    List<LoweredStep> wanted = all.steps().stream().filter(s -> isCalled(s, step)).toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "no step of '%s' launches a kernel under the name or number '%s'; there are %s"
              .formatted(compiled.name(), step, names(all)));
    }
    LoweredProgram some =
        new LoweredProgram(all.graph(), wanted, all.plan(), all.weights(), all.schedule());
    return listing(some, target.generate(some));
  }

  /// What the steps that launch kernels cost at batch size `n`.
  public List<StepCost> costs(long n) {
    return StepCost.of(compiled.lowered(), n);
  }

  private static String listing(LoweredProgram program, Generated generated) {
    if (hasNoText(generated)) {
      throw new IllegalArgumentException(
          "kernels of the JVM device are Java and have no text; those of OpenCL can be seen with"
              + " --codegen cpu or --codegen gpu");
    }
    return LaunchListing.of(program, generated);
  }

  private static boolean hasNoText(Generated generated) {
    return generated.code().source().isEmpty() && !generated.launches().isEmpty();
  }

  /* A node of a network that is one step, too. */
  private static boolean isCalled(LoweredStep step, String name) {
    Node node = step.node();
    return node.name().equals(name)
        || Integer.toString(step.number()).equals(name)
        || node.op() instanceof Op.Iteration whole
            && whole.body().nodes().stream().anyMatch(inside -> inside.name().equals(name));
  }

  private static String names(LoweredProgram program) {
    List<LoweredStep> steps = program.steps();
    String names =
        steps.stream()
            .limit(MOST_NAMES)
            .map(s -> s.number() + " '" + s.node().name() + "'")
            .collect(Collectors.joining(", "));
    return steps.size() > MOST_NAMES
        ? names + " and " + (steps.size() - MOST_NAMES) + " more"
        : names;
  }

  /// What each stage made: core IR after the import and after each pass that changed it, steps and
  /// program before the plan, the plan, steps after it, the schedule.
  public String stages() {
    return stages;
  }

  private static final class Stages implements StageObserver {
    private final StringBuilder text = new StringBuilder();
    private String last = "";

    @Override
    public void graph(String stage, Graph graph) {
      String now = GraphText.print(graph);
      add("core IR after " + stage, now.equals(last) ? "unchanged\n" : now);
      last = now;
    }

    @Override
    public void lowered(LoweredProgram program) {
      add("steps as lowered", StepListing.of(program));
      add("program to plan", ProgramListing.of(program.plan()));
    }

    @Override
    public void planned(MemoryPlan plan, LoweredProgram program) {
      add("memory plan", PlanListing.of(plan));
      add("steps under the plan", StepListing.of(program));
      add("schedule", ScheduleListing.of(program.schedule()));
    }

    private void add(String title, String body) {
      text.append("--- ").append(title).append(" ---\n").append(body).append('\n');
    }
  }
}
