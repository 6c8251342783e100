package io.miniinference.plan.planner;

import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Merge;
import io.miniinference.plan.Program;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.coalesce.AliasState;
import io.miniinference.plan.coalesce.Moved;
import io.miniinference.plan.loops.CopyAvoidance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The merges of a program, as they were decided.
///
/// @param sharing which blocks became parts of which
/// @param references initial values that loops read where they lie
/// @param refused merges that were not made, and why, once that was asked
/// @param decisions how it came about
record CoalescedPlan(
    AliasState sharing,
    CopyAvoidance references,
    List<Merge> made,
    List<RefusedMerge> refused,
    EarlierDecisions.Decisions decisions) {

  /// @param obstacles of merges that were not made, by the places of their candidates
  CoalescedPlan with(List<RefusedMerge> reasons, Map<Integer, Condition> obstacles) {
    return new CoalescedPlan(sharing, references, made, reasons, decisions.with(obstacles));
  }

  /// The program with its arrays where the merges put them. Copies that they make needless are
  /// views in it.
  Program program() {
    Program source = sharing.program();
    return source.with(body(source.body(), references.moved()), references.blocks());
  }

  /// Whether the copy is not made any more.
  boolean isElided(Step copy) {
    return sharing.isElided(copy) || references.isElided(copy);
  }

  private Body body(Body body, Moved moved) {
    List<Step> steps = new ArrayList<>();
    for (Step step : body.steps()) {
      Step there = moved.step(step).orElseThrow();
      List<Body> bodies = step.bodies().stream().map(b -> body(b, moved)).toList();
      steps.add(there.with(isElided(step) ? Step.Kind.VIEW : step.kind(), bodies));
    }
    return new Body(
        body.name(),
        body.kind(),
        moved.arrays(body.parameters()).orElseThrow(),
        steps,
        moved.arrays(body.results()).orElseThrow(),
        motion(body, moved));
  }

  private LoopBuffers motion(Body body, Moved moved) {
    return new LoopBuffers(
        body.motion().fewest(),
        body.motion().windows().stream()
            .map(w -> new LoopBuffers.Window(w.block(), moved.array(w.rows()).orElseThrow()))
            .toList(),
        references.pointers(body),
        references.alternations(body));
  }
}
