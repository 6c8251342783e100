package io.miniinference.lower;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.schedule.Decision;
import io.miniinference.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a plan has put the arrays of a lowered program, and which copies it makes needless.
final class Relocation {
  private final Map<Array, Array> arrays = new IdentityHashMap<>();
  private final Map<Integer, Step> steps = new HashMap<>();

  /// Where copies write that are made after the last iteration of a loop, by step number.
  private final Map<Integer, Array> last = new HashMap<>();

  Relocation(MemoryPlan plan) {
    collect(plan.source().body(), plan.program().body());
    plan.motions().stream()
        .flatMap(motion -> motion.alternations().stream())
        .forEach(each -> last.put(each.copy(), each.odd()));
  }

  private void collect(Body body, Body planned) {
    collect(body.parameters(), planned.parameters());
    for (int i = 0; i < body.steps().size(); i++) {
      Step before = body.steps().get(i);
      Step after = planned.steps().get(i);
      steps.put(before.number(), after);
      collect(before.reads(), after.reads());
      collect(before.writes(), after.writes());
      for (int b = 0; b < before.bodies().size(); b++) {
        collect(before.bodies().get(b), after.bodies().get(b));
      }
    }
    collect(body.results(), planned.results());
  }

  private void collect(List<Array> before, List<Array> planned) {
    for (int i = 0; i < before.size(); i++) {
      arrays.put(before.get(i), planned.get(i));
    }
  }

  /// The steps that are still launched, in their order.
  List<LoweredStep> steps(List<LoweredStep> all) {
    List<LoweredStep> launched = new ArrayList<>();
    for (LoweredStep step : all) {
      Step planned = written(step.number());
      if (planned.kind() != Step.Kind.VIEW || last.containsKey(step.number())) {
        launched.add(step.over(planned).with(guards(step)));
      }
    }
    return launched;
  }

  private Step written(int number) {
    Step planned = planned(number);
    Array place = last.get(number);
    return place == null ? planned : planned.with(planned.reads(), List.of(place));
  }

  private Step planned(int number) {
    return Objects.requireNonNull(steps.get(number), "every step is planned");
  }

  private List<LoweredStep.Guard> guards(LoweredStep step) {
    return step.guards().stream()
        .map(guard -> new LoweredStep.Guard(there(guard.condition()), guard.wanted()))
        .toList();
  }

  private Array there(Array array) {
    return arrays.getOrDefault(array, array);
  }

  /// A sequence that reads its conditions, and moves what moves, where they lie now.
  Schedule.Part part(Schedule.Part part) {
    return new Schedule.Part(
        part.scope(), part.steps().stream().filter(this::isInTurn).map(this::step).toList());
  }

  private boolean isInTurn(Schedule step) {
    return !(step instanceof Schedule.Run run) || !last.containsKey(run.step());
  }

  private Schedule step(Schedule step) {
    return switch (step) {
      case Schedule.Run run -> run;
      case Schedule.Branch branch ->
          new Schedule.Branch(
              branch.node(),
              decision(branch.condition()),
              part(branch.then()),
              part(branch.otherwise()));
      case Schedule.Once once ->
          new Schedule.Once(once.node(), once.iteration(), part(once.body()));
      case Schedule.Repeat repeat ->
          repeat.with(
              Objects.requireNonNull(decision(repeat.trips())),
              Objects.requireNonNull(decision(repeat.first())),
              Objects.requireNonNull(decision(repeat.goesOn())),
              part(repeat.body()),
              planned(repeat.step()).bodies().getFirst().motion());
    };
  }

  private @Nullable Decision decision(@Nullable Decision decision) {
    return decision instanceof Decision.OnDevice(Array array)
        ? new Decision.OnDevice(there(array))
        : decision;
  }
}
