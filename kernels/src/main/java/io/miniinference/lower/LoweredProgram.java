package io.miniinference.lower;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.plan.Array;
import io.miniinference.plan.Program;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.schedule.Schedule;
import io.miniinference.schedule.ScheduledRun;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A model as steps over arrays: what is planned and what kernels are written for.
///
/// @param steps the steps that launch, in order
/// @param plan the same steps, and the views between them, as the planner sees them
/// @param weights all constants that kernels read
/// @param schedule in which order steps are launched, by their numbers
public record LoweredProgram(
    Graph graph,
    List<LoweredStep> steps,
    Program plan,
    List<Weight> weights,
    Schedule.Part schedule) {
  public LoweredProgram {
    steps = List.copyOf(steps);
    weights = List.copyOf(weights);
  }

  /// The program over the arrays that a plan gives it, without the copies that the plan makes
  /// needless.
  public LoweredProgram under(MemoryPlan memory) {
    Relocation relocation = new Relocation(memory);
    return new LoweredProgram(
        graph, relocation.steps(steps), memory.program(), weights, relocation.part(schedule));
  }

  /// Where each input of the graph is put.
  public List<Array> inputs() {
    return plan.body().parameters();
  }

  /// Where each output is found, dense and row-major.
  public List<Array> outputs() {
    return plan.body().results();
  }

  /// The entry of [io.miniinference.device.Binding#offsets] that holds the offset of the failure
  /// slots: one past the last block id.
  public int failureSlotsId() {
    return plan.blocks().size();
  }

  /// The entry that tells kernels in loops when they run ([ScheduledRun.Program#clock]).
  public int clockId() {
    return failureSlotsId() + 1;
  }

  /// Number of entries of the offsets.
  public int offsets() {
    return clockId() + 1;
  }

  /// Whether one step takes each row through the whole graph ([Target#asOneStep]).
  public boolean isOneStep() {
    return steps.size() == 1 && steps.getFirst().node().op() instanceof Op.Iteration;
  }

  /// Whether each step is launched once, in order, whatever the request.
  public boolean isStraight() {
    return schedule.steps().stream().allMatch(step -> step instanceof Schedule.Run);
  }

  /// Whether rows of a batch may go through the program apart from each other, whole.
  public boolean isApart() {
    return isStraight()
        && graph.isBatchable()
        && Stream.concat(inputs().stream(), outputs().stream()).allMatch(RowArena::isMadeOfRows);
  }

  /// Whether each failure belongs to a row of the batch, and the number of its step tells when it
  /// was.
  public boolean failsByRow() {
    return failurePoints().stream().allMatch(point -> point.perRow() && !point.timed());
  }

  /// How often a run waits for the device besides its end, each place counted once.
  public int hostSyncs() {
    return Schedule.waits(schedule.steps());
  }

  /// What a run of launches goes by.
  ///
  /// @param launches places of each step's launches, by step number
  /// @param maxIterations most iterations of all loops of a run together
  public ScheduledRun.Program schedule(Map<Integer, List<Integer>> launches, long maxIterations) {
    int slots = failurePoints().isEmpty() ? ScheduledRun.Program.NO_SLOTS : failureSlotsId();
    return new ScheduledRun.Program(schedule, launches, slots, clockId(), maxIterations);
  }

  /// The steps that can fail.
  public List<FailurePoint> failurePoints() {
    return steps.stream().map(LoweredStep::failure).filter(f -> f != null).toList();
  }

  /// The same program without failure checks, for what they cost to be measured.
  public LoweredProgram withoutFailureChecks() {
    List<LoweredStep> unchecked = steps.stream().map(LoweredStep::withoutFailureCheck).toList();
    return new LoweredProgram(graph, unchecked, plan, weights, schedule);
  }
}
