package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.cost.Work;
import io.miniinference.device.Launch;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Strategy;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.Placement;
import io.miniinference.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// A small network as one step and one launch: a work-group takes some rows of the batch through
/// all of it in local memory, so that only inputs and outputs are in the pool, and nothing waits
/// for a launch but the first step. What is in local memory is planned and verified as an arena is.
///
/// @param inside what a work-group does with its rows
/// @param sizes rows of a work-group, by batch, one after the other
public record WholeNetwork(Inside inside, List<Size> sizes) implements OwnKernels {
  /// Local memory that every GPU has for a work-group.
  private static final long LOCAL_BYTES = 32 << 10;

  /// Operations of a row that a multiprocessor alone does about as soon as a whole GPU does them in
  /// a launch for each step: of 1.6 million, an H200 takes 24 µs in place of 30 for a single row,
  /// transfers included, and of 4.9 million 56 in place of 46 (but 82 in place of 130 for 256).
  private static final double MOST_OPERATIONS = 2.5e6;

  /// Operations of a row below which most work items of a work-group would have nothing to do, so
  /// that large batches are better off with a work item for each element.
  private static final double LEAST_OPERATIONS = 20e3;

  /// Steps that are more than one kernel should have.
  private static final int MOST_STEPS = 40;

  /// Weights that each work-group reads again, from caches; LeNet-5 has 166 KB.
  private static final long MOST_WEIGHT_BYTES = 192 << 10;

  /// Rows of a work-group where each multiprocessor of a large GPU has several without; an H200 has
  /// 132.
  private static final long MANY_ROWS = 4 * 132;

  private static final int MOST_ROWS = 2;

  /// Rows of a work-group in batches from `from` on, and where they lie in local memory.
  record Size(long from, Placement placement) {
    int rows() {
      return Math.toIntExact(placement.batch());
    }
  }

  public WholeNetwork {
    sizes = List.copyOf(sizes);
  }

  /// The program as one step, if it is small and each of its steps has a form for a work-group.
  ///
  /// @param isByDepth whether a packed weight lies in rows of depth, columns of the result
  ///   innermost
  /// @param strategy of the step
  public static Optional<LoweredProgram> of(
      LoweredProgram program,
      Predicate<Packing> isByDepth,
      Function<OwnKernels, ? extends Strategy> strategy) {
    return isWorthIt(program)
        ? Inside.of(program, isByDepth)
            .flatMap(WholeNetwork::of)
            .map(network -> network.step(program, strategy.apply(network)))
        : Optional.empty();
  }

  private static boolean isWorthIt(LoweredProgram program) {
    long weights =
        program.weights().stream().mapToLong(it -> it.packing().bytes(it.tensor())).sum();
    double operations = Work.ofAll(program, 1);
    return program.steps().size() > 1
        && program.steps().size() <= MOST_STEPS
        && program.isApart()
        && program.failurePoints().isEmpty()
        && weights <= MOST_WEIGHT_BYTES
        && operations >= LEAST_OPERATIONS
        && operations <= MOST_OPERATIONS;
  }

  private static Optional<WholeNetwork> of(Inside inside) {
    List<Size> sizes = new ArrayList<>();
    for (long rows = 1; rows <= MOST_ROWS; rows *= 2) {
      Placement placement = inside.placement(rows);
      if (placement.plannedBytes() <= LOCAL_BYTES) {
        sizes.add(new Size(rows == 1 ? 0 : MANY_ROWS, placement));
      }
    }
    return sizes.isEmpty() ? Optional.empty() : Optional.of(new WholeNetwork(inside, sizes));
  }

  private LoweredProgram step(LoweredProgram program, Strategy strategy) {
    Graph graph = program.graph();
    List<Array> reads = new ArrayList<>(program.inputs());
    reads.addAll(weights(program));
    Node node =
        new Node(
            graph.name(),
            "Network",
            new Op.Iteration(graph, 0),
            null,
            graph.inputs().size(),
            graph.inputs(),
            graph.outputs());
    List<Array> writes = program.outputs();
    List<Boolean> packed =
        reads.stream().map(array -> array.block().space() == Block.Space.WEIGHTS).toList();
    LoweredStep step =
        new LoweredStep(
            0,
            node,
            Step.Kind.COMPUTE,
            reads,
            packed,
            writes,
            strategy,
            List.of(),
            null,
            null,
            List.of());
    return new LoweredProgram(
        graph,
        List.of(step),
        plan(program, reads, writes),
        program.weights(),
        new Schedule.Part(program.schedule().scope(), List.of(new Schedule.Run(0, false))));
  }

  private static Program plan(LoweredProgram program, List<Array> reads, List<Array> writes) {
    Program all = program.plan();
    Step step =
        new Step(
            0,
            program.graph().name(),
            "Network",
            Step.Kind.COMPUTE,
            reads,
            writes,
            List.of(),
            List.of(),
            List.of());
    Body body = new Body("", Body.Kind.ONCE, program.inputs(), List.of(step), program.outputs());
    return new Program(all.name(), body, all.blocks(), all.naiveSizes());
  }

  /* One array of each. */
  private static List<Array> weights(LoweredProgram program) {
    Set<Block> seen = new HashSet<>();
    return program.steps().stream()
        .flatMap(step -> step.inputs().stream())
        .filter(array -> array.block().space() == Block.Space.WEIGHTS && seen.add(array.block()))
        .toList();
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of(
        "%d stages in one launch, a row in %,d bytes of local memory"
            .formatted(inside.stages().size(), bytesOfRow()));
  }

  private long bytesOfRow() {
    return sizes.getFirst().placement().plannedBytes();
  }

  /// Its stages and what a row takes, for those who read what lowering made.
  @Override
  public String toString() {
    return "WholeNetwork[stages=%s, bytesOfRow=%d]"
        .formatted(inside.stages().stream().map(Stage::title).toList(), bytesOfRow());
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step) {
    List<KernelText.Written> kernels = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      long until = i + 1 < sizes.size() ? sizes.get(i + 1).from() : Long.MAX_VALUE;
      Launch.Batches batches = new Launch.Batches(sizes.get(i).from(), until);
      kernels.add(new GroupText(inside, sizes.get(i), step).written(batches));
    }
    return kernels;
  }
}
