package io.miniinference.runtime.compile;

import io.miniinference.budget.LoadBudget;
import io.miniinference.cost.Work;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.RowPiece;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pass.FuseAttention;
import io.miniinference.pass.JoinProducts;
import io.miniinference.pass.OpenAxes;
import io.miniinference.pass.narrow.NarrowFloats;
import io.miniinference.pass.pipeline.Pipeline;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Planning;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// All of a load that touches neither device nor pool: from a model's messages to its kernels.
///
/// @param foldedBytes most that folding may hold, the pool's capacity
/// @param others what compiling for other shapes has left
public record Compiler(
    Target<?> target, long foldedBytes, EngineContext context, OtherShapes others) {
  private static final System.Logger LOG = System.getLogger(Compiler.class.getName());

  public Compiled compile(OnnxModel model, LoadOptions options) {
    return compile(model, options, StageObserver.NONE);
  }

  public Compiled compile(OnnxModel model, LoadOptions options, StageObserver observer) {
    return compile(model, options, observer, OpenAxes.NONE, this::generate, _ -> true);
  }

  /// As above, in an arena that has room.
  ///
  /// @param fits whether it has for what was compiled
  public Compiled compile(OnnxModel model, LoadOptions options, Predicate<Compiled> fits) {
    return compile(model, options, StageObserver.NONE, OpenAxes.NONE, this::generate, fits);
  }

  /* Requests of other batch sizes find the same kernels. */
  private Generated generate(LoweredProgram program, Optional<RowPiece> piece) {
    Optional<Generated> network =
        context.options().planning().rows()
            ? target.generateNetwork(program, piece)
            : Optional.empty();
    return network.orElseGet(() -> target.generate(program));
  }

  /// Writes the kernels of a program.
  @FunctionalInterface
  public interface Writer {

    /// @param piece the rows that are to go through the program together, if any are
    Generated generate(LoweredProgram program, Optional<RowPiece> piece);
  }

  /// The model in core IR, simplified.
  public Graph graph(OnnxModel model, LoadOptions options) {
    return stored(
        Frontend.of(model, options, target, foldedBytes, StageObserver.NONE, others).graph());
  }

  private Graph stored(Graph graph) {
    return target.storage().map(type -> NarrowFloats.of(graph, type)).orElse(graph);
  }

  /// @param open what is to be decided for all sizes
  /// @param writer writes the kernels of a program
  /// @param fits whether an arena has room for what was compiled; of what fits none, the best is
  ///   made
  public Compiled compile(
      OnnxModel model,
      LoadOptions options,
      StageObserver observer,
      OpenAxes open,
      Writer writer,
      Predicate<Compiled> fits) {
    Frontend front = Frontend.of(model, options, target, foldedBytes, observer, others);
    Graph graph =
        Pipeline.of(
                new FuseAttention(target), new JoinProducts(others.evaluator(foldedBytes), target))
            .apply(open.mark(stored(front.graph())), observer::graph);
    LoweredProgram checked = Lowering.lower(graph, target, front.naiveSizes());
    LoweredProgram lowered =
        asOneStep(
            context.options().failureChecks() ? checked : checked.withoutFailureChecks(), options);
    observer.lowered(lowered);
    LoadBudget.request(Work.ofAll(lowered, 1));
    long maxBatch = graph.hasBatch() ? options.maxBatch() : 1;
    Planning planning = context.options().planning();
    VerifiedPlan plan =
        VerifiedPlan.of(lowered.plan(), planning.upTo(maxBatch), others.decisions());
    plan.fallback().ifPresent(reason -> report(model, reason));
    LoweredProgram placed = lowered.under(plan.plan());
    observer.planned(plan.plan(), placed);
    WeightSet weights = WeightSet.of(placed, others);
    Function<Optional<RowPiece>, Compiled> compiled =
        piece ->
            new Compiled(
                model.name(),
                placed,
                plan.plan(),
                writer.generate(placed, piece),
                front.cuts(),
                front.codes(),
                front.specialisedOn(),
                weights,
                plan.fallback().isPresent() ? planning.withoutSharing() : planning,
                plan.planningMillis());
    return firstFitting(pieces(placed, plan.plan(), weights), compiled, fits);
  }

  /* A shape of a model with open sizes has kernels of each step, which its other shapes share. */
  private LoweredProgram asOneStep(LoweredProgram program, LoadOptions options) {
    boolean isOnlyShape = options.dimensions().isEmpty() && options.inputShapes().isEmpty();
    return isOnlyShape && context.options().planning().rows()
        ? target.asOneStep(program).orElse(program)
        : program;
  }

  private static Compiled firstFitting(
      List<Optional<RowPiece>> pieces,
      Function<Optional<RowPiece>, Compiled> compiled,
      Predicate<Compiled> fits) {
    Compiled best = compiled.apply(pieces.getFirst());
    return Stream.concat(Stream.of(best), pieces.stream().skip(1).map(compiled))
        .filter(fits)
        .findFirst()
        .orElse(best);
  }

  private List<Optional<RowPiece>> pieces(
      LoweredProgram program, MemoryPlan plan, WeightSet weights) {
    return context.options().planning().rows()
        ? RowChoice.of(program, plan, weights)
        : List.of(Optional.empty());
  }

  private void report(OnnxModel model, String reason) {
    context.planFallbacks().incrementAndGet();
    LOG.log(
        System.Logger.Level.ERROR,
        "the plan of ''{0}'' failed its verification and is not used; the plain plan,"
            + " which shares no memory, is: {1}",
        model.name(),
        reason);
  }
}
